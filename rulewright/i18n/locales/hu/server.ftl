# Amit csak egy szerver oldala mond: előtér, új játszma, helyek és hivatkozások.

## Mindenütt

home = Rulewright, vissza az előtérbe
save = Mentés
saved = Elmentve
copy = Másolás
to-lobby = Vissza az előtérbe
not-here = Ezen a címen nincs semmi
reconnecting = Megszakadt a kapcsolat. Újracsatlakozás …
reconnecting-kept = Amit választottál, megvan, és akkor elküldjük.
kept-rules = A játék szabályai azóta megváltoztak; ez a játszma a sajátjaival folytatódik.
kept-rules-changed = Megváltozott: { $what }.
abandon = Befejezés eredmény nélkül
abandon-sure = Ha mindenki beleegyezik, a játszma mindenkinek véget ér.
resign = Feladom
resign-sure = Feladod a játszmát. Ezt nem lehet visszavonni.
notices = Ha te jössz
notify-on = Jelenjen meg értesítés, ha az oldal a háttérben van
notify-refused = A böngésző nem engedi. A böngésző beállításaiban engedélyezheted.

## Az előtér

lobby = Előtér
games = Játékok
search-games = Játék keresése
no-games = Nincs ilyen játék.
find-players = Játékosok
find-players-any = akárhány
find-length = Hossz
find-length-any = bármilyen
find-length-short = legfeljebb 10 perc
find-length-middle = 10–30 perc
find-length-long = 30 percnél több
find-weight = Súly
find-weight-any = bármilyen
find-tag = Fajta
find-tag-any = minden fajta
find-sort = Sorrend
sort-title = név szerint
sort-minutes = a rövidek előre
sort-weight = a könnyűek előre
weight-light = könnyű
weight-medium = közepes súlyú
weight-heavy = nehéz
weight-about = Mérve: mennyi a szabály, hányféle a választás, és meddig segít az előregondolkodás
about-minutes = kb. { $minutes } perc
games-found = { $number ->
    [one] 1 játék
   *[other] { $number } játék
}
hints-allowed = Tippek kérhetők: mit választana egy keresés
hints-forbidden = tippek nélkül
filters = Szűrők
clear-filters = Mind mutatása
play-now = Játék gép ellen
play-now-about = Azonnal indul, ahogy a szabályok javasolják, a többi helyen a szokásos gépi játékossal
in-short = Röviden
dismiss-match = Elvetés
dismiss-bots = Minden befejezetlen, gép elleni játszma elvetése
dismiss-sure = Eredmény nélkül érnek véget, és eltűnnek a listádról.
dismiss-one-sure = Eredmény nélkül ér véget, és eltűnik a listádról.
tag-abstract = absztrakt
tag-auction = licit
tag-betting = tétek
tag-bluff = blöff
tag-board = táblás játék
tag-capture = ütés
tag-cards = kártyajáték
tag-children = gyerekeknek
tag-classic = klasszikus
tag-connection = összekötés
tag-cooperative = együttműködő
tag-deduction = kikövetkeztetés
tag-dice = kockajáték
tag-drafting = válogatás
tag-economy = gazdasági
tag-hand = kézben gyűjtött sorok
tag-hidden = rejtett információ
tag-map = térkép
tag-puzzle = fejtörő
tag-race = verseny
tag-rows = egy sorban
tag-simultaneous = egyszerre
tag-solo = egyszemélyes
tag-sowing = magvetés
tag-teams = csapatok
tag-territory = terület
tag-trading = csere
tag-tricks = ütésvivő
tag-workers = munkások
upload = Szabályrendszer feltöltése
my-matches = A te játszmáid
open-matches = Nyitott asztalok
watch-matches = Nézhető játszmák
unreadable-matches = Olvashatatlan játszmák
unreadable-match = Egy játszma
unreadable-about = Megsérült, amit a kiszolgáló megőrzött belőle. Ezt a nevet mondd meg annak, aki a kiszolgálót üzemelteti:
state-unreadable = olvashatatlan
log-elsewhere = Ez egy { $game }-játszma naplója, de a kiszolgáló nem nyit meg naplót. Húzd rá az egyetlen fájlban lévő játékra, amelyet a `rulewright export { $game } --into FÁJL` ír, vagy folytasd ezzel: `rulewright play { $game } --resume NAPLÓ`.
lost-seat = Ez a hivatkozás már nem ad helyet. Kérj újat attól, aki küldte.
seats-range = { $fewest }–{ $most } játékos
seats-some = { $numbers } játékos
state-open = játékosokra vár
state-running = folyik
state-over = véget ért
state-abandoned = eredmény nélkül ért véget
sit-down = Leülök
watch = Nézem
open-match = Megnyitás
play-on = Játszom

## Új játszma

who-plays = Kik játszanak?
name-placeholder = ahogy a többiek látják
how-many = Játékosok száma
company = A többiek
company-bot = Gépi játékosok
company-invited = Barátok, hivatkozással
company-open = Bárki
company-me = Ennél a gépnél
company-companion = Valódi asztal
company-companion-help = A saját kártyáitokkal és kockáitokkal játszotok; a játékvezető azt követi, amit elmondtok neki. Adjatok helyet barátoknak, ha több gépről is mondanátok.
player-me = én, ennél a gépnél
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
set-exactly = Választandó: { $number }
set-between = Választandó: { $least }–{ $most }
set-chosen = kiválasztva: { $number }
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
chance-system = a szerver dob és húz
chance-system-help = Mindig csak akkor, amikor kell. Előre senki sem tudhatja.
chance-committed = lepecsételt magból
chance-committed-help = A magot az elején lepecsételjük, a végén felbontjuk, így bárki ellenőrizheti.
bots-at-random = A gépi játékosok itt véletlenszerűen választanak, nem számolnak előre.
make-table = Asztal megnyitása
start-match = Kezdés

## A váróterem, helyek és hivatkozások

waiting-for-players = Játékosokra várunk
share-address = Aki ismeri ennek az oldalnak a címét, megtalálja az asztalt.
seats-and-links = Helyek és hivatkozások
links-about = A hivatkozás bármely eszközön megnyitja a helyet. Csak annak küldd el, aki oda fog ülni.
get-link = Hivatkozás
seat-link = Hivatkozás a helyre
seat-code = A hely hivatkozása kódként, kamerának
no-seat-codes = Ez a szerver nem mutat kódot kamerának: hiányzik róla a segno csomag.
revoke-link = Új hivatkozás, a régiek érvénytelenek
revoke-sure = Aki egy régebbi hivatkozással ül itt, elveszíti a helyét, és csak az újjal kapja vissza.
seat-a-bot = Gépi játékos ide
play-here = Innen játszom
leave-seat = Felállok
close-match = Asztal bezárása
close-match-sure = Az asztal mindenki számára megszűnik.
seat-open = szabad hely
seat-invited = meghívott hely
state-seat-open = szabad
state-seat-invited = a vendégére vár
cannot-open = Ez az asztal nem nyitható meg
cannot-open-game = Ez a játék nem nyitható meg

## Az asztalnál

present = itt van
away = nincs itt
time-left = Hátralevő idő
time-short = Fogytán az időd.

## Visszavonás és beleegyezés

proposal-abandon = { $name } szeretné eredmény nélkül befejezni a játszmát.
rematch = Visszavágó
proposal-rematch = { $name } visszavágót szeretne. Akkor kezdődik, amikor mindenki beleegyezett.

## A játszma vége

ended-by-agreement = A játékosok megegyeztek a befejezésében.
ended-by-resignation = Egy játékos feladta.
ended-by-clock = Egy játékosnak lejárt az ideje.
ended-by-owner = Az asztalt bezárták.

## Beállítások

notices-away = Ha nem vagy itt
notice-mail = E-mail-cím
notice-webhook = Értesítendő webcím
is-set = be van állítva
turn-off = Kikapcsolás

## Ami nem sikerült

error-offline = A szerver nem érhető el.
error-malformed = A szerver nem értette az oldalt. Töltsd be újra.
error-other-origin = Ez az oldal nem a szervere címén van.
error-not-allowed = Ez itt nem megengedett.
error-not-found = Nincs ilyen játék vagy játszma, vagy nem nyitott számodra.
error-taken = Ezt a helyet már elfoglalta valaki.
error-not-playable = Ezt nem lehet játszani.
error-too-many = Túl sok kérés. Várj egy kicsit.
error-not-available = A szerver nem elérhető. Próbáld újra kicsit később.
error-not-started = A játszma még nem kezdődött el.
error-spectator = A nézők csak néznek.
error-too-costly = Ennek a játéknak a szabályai túl sok idejét vennék el a szervernek. Semmi sem változott; próbáld újra egy perc múlva.
error-not-kept = A szerver nem tudta megőrizni a döntést. Próbáld újra.
error-protocol = A szerver más változatot beszél. Töltsd be újra az oldalt.
error-revoked = Ez a hely ezzel a hivatkozással már nem érhető el.
error-going-down = A szerver egy pillanatra leáll.
error-too-fast = Túl sok üzenet. Töltsd be újra az oldalt kicsit később.
error-closed = Az asztal bezárult.
error-failed = A szerver hibázott. Próbáld újra.
name-of-seat = { $number }. hely neve
ended-by-clock-of = { $name } ideje lejárt.
ended-by-resignation-of = { $name } feladta.
notice-mail-wrong = Ez nem e-mail-cím.
notice-webhook-wrong = Ez nem hívható webcím: https:// vagy http:// az eleje.

## Mit lehetett tudni

beliefs = Mit lehetett tudni?
beliefs-what = Minden rejtett helyről: mi lehet ott, és mekkora eséllyel, csak a szabályokból és abból, amit ez a hely addig megtudott.
beliefs-of = Amit { $name } tudhatott
beliefs-thinking = Számolás …
beliefs-none = Ehhez a lépéshez nem akadt olyan parti, amely mindenben egyezik azzal, amit ez a hely megtudott.
beliefs-too-long = Túl sokáig tartott kiszámolni. Próbáld újra, vagy menj egy korábbi lépéshez.
beliefs-nothing-hidden = Itt semmi sincs rejtve.
beliefs-exact = { $worlds ->
    [one] Pontos: egyetlen lehetőség van.
   *[other] Pontos: mind a(z) { $worlds } lehetőség.
}
beliefs-sample = { $worlds } lehetőségből becsülve, amelyek { $effective } függetlennel érnek fel. Zárójelben: ahol az esély 95 %-kal van.
beliefs-approximate = Durva becslés: kevés lehetőség akadt, { $effective } függetlennel érnek fel.
beliefs-model = Feltesszük, hogy a többiek minden felkínált lehetőséget egyenlő eséllyel választanak.
beliefs-percent = { $number } %
beliefs-below-one = < 1 %
beliefs-range = ({ $low } – { $high })
beliefs-real = ott volt
beliefs-more = Még { $number }
beliefs-fewer = Kevesebb

## Beszélgetés

talk = Beszélgetés
talk-unread = { $number ->
   *[other] Beszélgetés, { $number } új üzenet
}
says = { $name }: { $text }
phrases = Mondások
phrase-hello = Sziasztok!
phrase-luck = Sok szerencsét!
phrase-good-move = Szép lépés!
phrase-thanks = Köszönöm.
phrase-moment = Egy pillanat, kérlek.
phrase-your-turn = Te jössz.
phrase-sorry = Bocsánat.
phrase-oops = Ezt elnéztem.
phrase-well-played = Szép játék volt!
phrase-bye = Viszlát!
talk-write = Írj valamit
send = Küldés
talk-nothing = Még senki sem szólt.
talk-sending = Küldés …
talk-waits = Elküldjük, amint helyreáll a kapcsolat.
talk-not-sent = Nem ment el.
talk-mute = Akit nem hallgatsz
talk-allowed = Mit lehet mondani
talk-off = Ennél az asztalnál nem beszélgetnek.
talk-auto = ahogy a helyek kívánják
talk-auto-help = Idegenek között mondások, vendégek között szabad szöveg.
talk-none = semmit
talk-none-help = Senki sem szól, és ami elhangzott, az sem látszik.
talk-phrases = mondásokat
talk-phrases-help = Kész mondatok, amelyeket mindenki a saját nyelvén olvas.
talk-free = mondásokat és szabad szöveget
talk-free-help = Amit a játékosok írni szeretnének.
talk-spectators = A nézők is olvassák
talk-spectators-only-read = Csak a játékosok szólhatnak.
mark-heart = gyönyörű
mark-star = erős
mark-wow = meglepő
mark-laugh = mulatságos
mark-question = kétséges
error-said-enough = Rövid idő alatt sokat szóltál. Várj egy kicsit.
error-marked-enough = Ennek a játszmának már annyi jele van, amennyi lehet.
playtest = Tesztjáték
playtest-what = Ez az asztal tesztjáték. Ha beleegyezel, a szerver a neved nélkül megőrzi: mennyit gondolkodsz a választásokon, melyiket vonod vissza, mit utasítanak el a szabályok, és mikor kérdezed, miért, a tippeket, a megjelölt pillanatokat és a végén adott válaszaidat.
playtest-version = A szabályok változata: { $version }
playtest-how-long = A végéig a szerver adatbázisában marad; azután fájl lesz a játék tervezőjének, és a játszmával együtt törlődik.
playtest-free = Nélküle ugyanúgy játszhatsz. Bármikor visszaléphetsz, a vége után is: akkor minden törlődik, ami a tiéd.
playtest-yes = Beleegyezem
playtest-no = Köszönöm, nem
playtest-withdraw = Visszalépek, töröljétek az enyémet
playtest-delete = A játszma összes adatának törlése
playtest-delete-sure = Minden törlődik, aminek a megőrzésébe e játszma bármely játékosa beleegyezett.
playtest-comment = Mi nem világos, furcsa vagy jó itt?
playtest-mark = A pillanat megjelölése
