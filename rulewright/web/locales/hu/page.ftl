# Az oldal szavai, az asztaléi kivételével.

## Mindenütt

home = Rulewright, vissza az előtérbe
skip = Ugrás a tartalomhoz
tools = Eszközök
close = Bezárás
cancel = Mégse
dismiss = Elrejtés
save = Mentés
saved = Elmentve
copy = Másolás
copied = Kimásolva
more = További lehetőségek
print = Nyomtatás
loading = Betöltés …
load-again = Az oldal újratöltése
try-again = Próbáljuk újra
to-lobby = Vissza az előtérbe
not-here = Ezen a címen nincs semmi

## Az előtér

lobby = Előtér
games = Játékok
search-games = Játék keresése
no-games = Nincs ilyen nevű játék.
upload = Szabályrendszer feltöltése
my-matches = A te játszmáid
open-matches = Nyitott asztalok
watch-matches = Nézhető játszmák
lost-seat = Ez a hivatkozás már nem ad helyet. Kérj újat attól, aki küldte.
seats-exactly = { $number ->
    [one] 1 játékos
   *[other] { $number } játékos
}
seats-range = { $fewest }–{ $most } játékos
state-open = játékosokra vár
state-running = folyik
state-over = véget ért
state-abandoned = eredmény nélkül ért véget
sit-down = Leülök
watch = Nézem
open-match = Megnyitás
play-on = Játszom
look-back = Visszanézem

## Új játszma

new-match = Új játszma
who-plays = Kik játszanak?
your-name = A neved
name-placeholder = ahogy a többiek látják
how-many = Játékosok száma
company = A többiek
company-bot = Gépi játékosok
company-invited = Barátok, hivatkozással
company-open = Bárki
company-me = Ennél a gépnél
company-companion = Valódi asztal
company-companion-help = A saját kártyáitokkal és kockáitokkal játszotok; a játékvezető azt követi, amit elmondtok neki. Adjatok helyet barátoknak, ha több gépről is mondanátok.
seat-number = { $number }. hely
name-of-seat = { $number }. hely neve
player-me = én, ennél a gépnél
player-bot = gépi játékos
player-invited = hivatkozással hívom meg
player-open = bárki leülhet
pace = Milyen gyorsan?
clock-none = Óra nélkül
clock-move = Idő lépésenként
clock-match = Idő az egész játszmára
clock-days = Napok lépésenként
seconds-a-move = Másodperc lépésenként
minutes-a-match = Perc játékosonként
increment = Másodperc ráadás lépésenként
days-a-move = Nap lépésenként
expiry = Ha letelik az idő
expiry-forfeit = a játszma elveszett
expiry-absent = a távollevőkre vonatkozó szabály lép
clock-days-text = { $days ->
    [one] lépésenként 1 nap
   *[other] lépésenként { $days } nap
}
clock-move-text = lépésenként { $time }
clock-match-text = fejenként { $time }
clock-match-increment-text = fejenként { $time }, lépésenként + { $increment } mp
clock-days-left = { $days } nap { $time }
options = Választható szabályok
rulings = Szabályértelmezések
rulings-about = Ahol a szabálykönyv hallgat, vagy kétféleképpen érthető, ezek az olvasatok érvényesek.
rulings-number = { $number }
rulings-changed = { $number ->
    [one] 1 módosítva
   *[other] { $number } módosítva
}
proposed = javasolt
because = Indoklás: { $why }
more-settings = Nézők, véletlen és egyéb beállítások
visibility = Ki találja meg a játszmát
visibility-auto = a helyek szerint
visibility-auto-help = Megjelenik az előtérben, ha van bárki számára nyitott hely.
visibility-open = mindenki
visibility-open-help = Megjelenik az előtérben.
visibility-invited = aki ismeri a címét
visibility-invited-help = Nem jelenik meg az előtérben.
visibility-private = csak a játékosok
visibility-private-help = Senki más nem nyithatja meg.
watching-by = Nézők
watching-by-all = jöhetnek
watching-by-all-help = Azt látják, ami mindenki előtt nyitott.
watching-by-late = néhány lépéssel lemaradva
watching-by-late-help = A tíz döntéssel korábbi állást látják.
watching-by-nobody = nincsenek
watching-by-nobody-help = A játékosok maguk között vannak.
chance = Kockák és lapok
chance-system = a szerver dob és húz
chance-system-help = Mindig csak akkor, amikor kell. Előre senki sem tudhatja.
chance-committed = lepecsételt magból
chance-committed-help = A magot az elején lepecsételjük, a végén felbontjuk, így bárki ellenőrizheti.
chance-companion = a saját dobozotokból
chance-companion-help = Ti dobtok és húztok az asztalnál, és megmondjátok a játékvezetőnek, mi jött ki.
undo-policy = Visszavonás
undo-policy-free = amíg senki sem tudott meg semmit
undo-policy-free-help = Azon túl a többieket kérdezzük.
undo-policy-consent = ha a többiek beleegyeznek
undo-policy-consent-help = A többieket minden alkalommal megkérdezzük.
undo-policy-none = soha
undo-policy-none-help = Ami megtörtént, megtörtént.
bots = Gépi játékosok
bot-random = véletlenszerű
bot-playouts = kipróbálja, mit választhat
make-table = Asztal megnyitása
start-match = Kezdés

## A váróterem, helyek és hivatkozások

players = Játékosok
waiting-for-players = Játékosokra várunk
share-address = Aki ismeri ennek az oldalnak a címét, megtalálja az asztalt.
seats-and-links = Helyek és hivatkozások
links-about = A hivatkozás bármely eszközön megnyitja a helyet. Csak annak küldd el, aki oda fog ülni.
get-link = Hivatkozás
seat-link = Hivatkozás a helyre
revoke-link = Új hivatkozás, a régiek érvénytelenek
seat-a-bot = Gépi játékos ide
play-here = Innen játszom
other-seat = Most { $name } következik: ez a hely is a tiéd.
leave-seat = Felállok
close-match = Asztal bezárása
close-match-sure = Az asztal mindenki számára megszűnik.
seat-open = szabad hely
seat-invited = meghívott hely
seat-bot = { $letter } gép
seat-person = { $letter } játékos
state-seat-open = szabad
state-seat-invited = a vendégére vár
cannot-open = Ez az asztal nem nyitható meg

## Az asztalnál

table = Asztal
you = (te)
bot = gép
present = itt van
away = nincs itt
thinking = ő következik
has-won = nyert
score = Pontszám
scores = Pontszámok
total = Összesen
time-left = Hátralevő idő
time-short = Fogytán az időd.
watching = { $number ->
    [one] 1 néző
   *[other] { $number } néző
}
your-turn = Te jössz
title-your-turn = ● Te jössz – { $title }
turn-of = { $name } következik
all-choose = Mindenki egyszerre dönt
referee-goes-on = A játékvezető folytatja
match-over = A játszma véget ért
reconnecting = Megszakadt a kapcsolat. Újracsatlakozás …
kept-rules = A játék szabályai azóta megváltoztak; ez a játszma a sajátjaival folytatódik.
kept-rules-changed = Megváltozott: { $what }.
rules = Szabályok
open-clause = A szabálykönyv megnyitása itt: { $clause }

## Visszavonás és beleegyezés

undo = Visszavonás
ask-undo = Visszavonást kérek
undo-consent = Bele kell egyeznie: { $names }
undone = Visszavonva.
undo-asked = Megkérdeztük a többieket.
nothing-to-undo = Nincs mit visszavonni.
proposal-undo = { $number ->
    [one] { $name } szeretné visszavonni az utolsó döntést.
   *[other] { $name } szeretné visszavonni az utolsó { $number } döntést.
}
proposal-repair = { $name } szeretne visszatérni ide: { $seq }. lépés.
proposal-abandon = { $name } szeretné eredmény nélkül befejezni a játszmát.
proposal-waits = Még válaszol: { $names }.
agree = Rendben
decline = Nem
withdraw = Visszalépek
propose = Javaslom
abandon = Befejezés eredmény nélkül
abandon-sure = Ha mindenki beleegyezik, a játszma mindenkinek véget ér.
resign = Feladom
resign-sure = Feladod a játszmát. Ezt nem lehet visszavonni.

## A játszma vége

result = Eredmény
winners = { $number ->
    [one] { $names } nyert
   *[other] { $names } nyertek
}
no-winner = Senki sem nyert
ended-by-agreement = A játékosok megegyeztek a befejezésében.
ended-by-resignation = Egy játékos feladta.
ended-by-clock = Egy játékosnak lejárt az ideje.
ended-by-clock-of = { $name } ideje lejárt.
ended-by-resignation-of = { $name } feladta.
ended-by-owner = Az asztalt bezárták.
rematch = Visszavágó
to-rematch = A visszavágóhoz
log = Napló
sealed-seed = Lepecsételt mag
sealed-seed-about = A játszmában minden véletlen egyetlen magból ered. A pecsét az első döntés előtt készült; a magot a végén felbontjuk, így bárki ellenőrizheti.
sealed-seed-check = Aki ellenőrizni akarja, elmenti a naplót: a `rulewright replay` megmondja, hogy a pecsét, a mag és minden húzás egyezik-e.
seed-commitment = Pecsét
seed-seed = Mag
seed-nonce = Só

## Visszajátszás

replay = Visszajátszás
replay-position = A játszma lépése
replay-at = { $seq } / { $last }
replay-end = Vissza a jelenbe
to-start = Az elejére
step-back = Egy lépést vissza
step-on = Egy lépést előre
to-end = A végére
play = Lejátszás
pause = Szünet
seen-by = Ki szemével
a-spectator = néző
the-referee = játékvezető
repair = Térjünk vissza ide
repair-sure = Ha minden társad beleegyezik, a játszma innen folytatódik. A későbbi lépések a naplóban megmaradnak.

## Valódi asztal mellett

companion = A ti asztalotokról
what-came = Mi jött ki: { $what }?
cancel-choice = Mégsem ezt választom
outcome-unseen = Senki sem látta
told-so-far = Eddig elmondva: { $outcomes }

## Egyetlen fájlban

human = ember
take-players = Kik játszanak?
begin = Kezdés
hand-over = { $name } következik
hand-over-about = Add át az eszközt: { $name }. Addig semmi sem látszik, amíg át nem veszi.
hand-over-take = Én vagyok: { $name }
open-log = Napló megnyitása
drop-log = Húzz ide egy naplót, és megnézheted a játszmáját
log-opened = A napló megnyílt.
variant = Változat

## Beállítások

settings = Beállítások
language = Nyelv
names-language = Nevek a játékban
theme = Színek
theme-auto = mint az eszközön
theme-light = világos
theme-dark = sötét
motion = Mozgás
motion-auto = mint az eszközön
motion-full = teljes
motion-less = kevés
notices = Ha te jössz
sound-on = Szóljon rövid hang
notify-on = Jelenjen meg értesítés, ha az oldal a háttérben van
notify-refused = A böngésző nem engedi. A böngésző beállításaiban engedélyezheted.
keyboard = Billentyűzet
choosing = Választás
confirming-on = Választás előtt még egyszer mutassa meg
shortcuts-on = Gyorsbillentyűk
notices-away = Ha nem vagy itt
notice-mail = E-mail-cím
notice-mail-wrong = Ez nem e-mail-cím.
notice-webhook-wrong = Ez nem hívható webcím: https:// vagy http:// az eleje.
notice-webhook = Értesítendő webcím
is-set = be van állítva
turn-off = Kikapcsolás

## Súgó

help = Súgó
help-about = Amit választhatsz, az kiemelve látszik az asztalon. Ott válaszd ki, ahol van, részenként; az utolsó részig visszaléphetsz.
help-why = Válassz olyat, ami nincs kiemelve, és a játékvezető megmondja, miért nem lehet: a feltételt, a számait és a szabálypontot.
help-shortcuts = A gyorsbillentyűket a beállításokban lehet kikapcsolni.
key-tab = a következő csoporthoz; azon belül a nyilak
key-enter = választás
key-look = mi ez, vagy miért nem választható
key-escape = egy rész visszavonása, bezárás
key-undo = visszavonás
key-rules = szabályok
key-replay = visszajátszás
key-turn = az asztalhoz
key-help = ezek a billentyűk

## Ami nem sikerült

error-unknown = Valami nem sikerült. { $text }
error-offline = A szerver nem érhető el.
error-malformed = A szerver nem értette az oldalt. Töltsd be újra.
error-other-origin = Ez az oldal nem a szervere címén van.
error-not-yours = Ehhez nincs jogod.
error-not-allowed = Ez itt nem megengedett.
error-not-found = Nincs ilyen játék vagy játszma, vagy nem nyitott számodra.
error-taken = Ezt a helyet már elfoglalta valaki.
error-not-now = Ez most nem lehetséges.
error-not-yet = Ez csak a játszma végén látható.
error-too-large = A fájl túl nagy.
error-not-playable = Ezt nem lehet játszani.
error-too-many = Túl sok kérés. Várj egy kicsit.
error-not-available = A szerver nem elérhető. Próbáld újra kicsit később.
error-not-offered = Ez most nem választható.
error-stale = Közben megváltozott az állás. Válassz újra.
error-not-asked = Nem te jössz.
error-over = A játszma véget ért.
error-not-started = A játszma még nem kezdődött el.
error-not-undone = Ezt nem lehet visszavonni.
error-no-proposal = Ez a javaslat már eldőlt.
error-spectator = A nézők csak néznek.
error-fault = Hiba van a szabályokban. A játszma úgy maradt, ahogy volt.
error-not-kept = A szerver nem tudta megőrizni a döntést. Próbáld újra.
error-protocol = A szerver más változatot beszél. Töltsd be újra az oldalt.
error-revoked = Ez a hely ezzel a hivatkozással már nem érhető el.
error-going-down = A szerver egy pillanatra leáll.
error-too-fast = Túl sok üzenet. Töltsd be újra az oldalt kicsit később.
error-closed = Az asztal bezárult.
error-cancelled = A választás elmaradt.
error-replay = Visszajátszás közben nem lehet választani.
error-needs-outcome = A játékvezető arra vár, ami az asztalotoknál kijött.
error-not-possible = Ez nem lehet. Mondjatok egyet a felkínáltak közül, vagy vegyétek vissza, amit rosszul mondtatok.
error-broken-log = Ez nem ennek a játéknak a naplója, vagy megváltoztatták.
