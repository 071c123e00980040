# Az oldal szavai, az asztaléi kivételével.

## Mindenütt

skip = Ugrás a tartalomhoz
tools = Eszközök
close = Bezárás
cancel = Mégse
dismiss = Elrejtés
more = További lehetőségek
print = Nyomtatás
loading = Betöltés …
load-again = Az oldal újratöltése
try-again = Próbáljuk újra

## Az előtér

seats-exactly = { $number ->
    [one] 1 játékos
   *[other] { $number } játékos
}
look-back = Visszanézem

## Új játszma

new-match = Új játszma
your-name = A neved
seat-number = { $number }. hely
bot-random = véletlenszerű
bot-easy = könnyű
bot-medium = közepes
bot-hard = nehéz

## A váróterem, helyek és hivatkozások

players = Játékosok
seat-bot = { $letter } gép
seat-person = { $letter } jelű játékos

## Az asztalnál

table = Asztal
you = (te)
bot = gép
thinking = ő következik
has-won = nyert
score = Pontszám
scores = Pontszámok
total = Összesen
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
proposal-waits = Még válaszol: { $names }.
agree = Rendben
decline = Nem
withdraw = Visszalépek
propose = Javaslom

## A játszma vége

result = Eredmény
winners = { $number ->
    [one] { $names } nyert
   *[other] { $names } nyertek
}
no-winner = Senki sem nyert
hand-over = { $name } következik
hand-over-about = Add át az eszközt: { $name }. Addig semmi sem látszik, amíg át nem veszi.
hand-over-take = Én vagyok: { $name }
rematch-declined = { $name } nem szeretne visszavágót.
next-match = Következő játszma
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

companion-asks = A játékvezető kérdez

## Egyetlen fájlban

open-log = Napló megnyitása
drop-log = Húzz ide egy naplót, és megnézheted a játszmáját
error-not-now = Ez most nem lehetséges.
error-not-a-log = Ez nem egy játszma naplója.

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
keyboard = Billentyűzet
choosing = Választás
confirming-on = Választás előtt még egyszer mutassa meg
planning-on = Lépés előre tervezése, amíg a másik van soron, ha semmi rejtett vagy véletlen nem jöhet közbe
sole-on = Több közül az utolsó választása magától
shortcuts-on = Gyorsbillentyűk

## Súgó

help = Súgó
help-about = Amit választhatsz, az kiemelve látszik az asztalon. Ott válaszd ki, ahol van, részenként; az utolsó részig visszaléphetsz.
help-why = Válassz olyat, ami nincs kiemelve, és a játékvezető megmondja, miért nem lehet: a feltételt, a számait és a szabálypontot.
help-hand = Egy bábut két érintéssel vagy húzással lehet áthelyezni; ha egy másik sajátodat választod, azt veszed fel helyette, ugyanazt újra választva leteszed. Ha az egeret valamin pihenteted, ujjal nyomva tartod vagy jobb gombbal kattintasz rá, választás nélkül elolvashatod.
help-shortcuts = A gyorsbillentyűket a beállításokban lehet kikapcsolni.
key-tab = a következő csoporthoz
key-arrows = a csoport következő eleméhez
key-enter = választás
key-look = mi ez, mit tesz, vagy miért nem választható
key-zoom = nagyobb, kisebb, egész: a kijelölt tábla
key-escape = egy rész vagy a terv visszavonása, bezárás
key-undo = visszavonás
key-rules = szabályok
key-replay = visszajátszás
key-turn = az asztalhoz
key-help = ezek a billentyűk

## Ami nem sikerült

error-unknown = Valami nem sikerült. { $text }
error-not-yours = Ehhez nincs jogod.
error-not-yet = Ez csak a játszma végén látható.
error-too-large = A fájl túl nagy.
error-not-offered = Ez most nem választható.
error-stale = Közben megváltozott az állás. Válassz újra.
error-not-asked = Nem te jössz.
error-over = A játszma véget ért.
error-not-undone = Ezt nem lehet visszavonni.
error-no-proposal = Ez a javaslat már eldőlt.
error-fault = Hiba van a szabályokban. A játszma úgy maradt, ahogy volt.
error-replay = Visszajátszás közben nem lehet választani.
error-broken-log = Ez nem ennek a játéknak a naplója, vagy megváltoztatták.
provenance = Ebben a játékban nem minden olyan, mint a kiadottban
provenance-short = részben nem eredeti
provenance-reconstructed = { $of }: { $total } sorból { $number } rekonstruált.
provenance-partly = { $of }: { $total } sorból { $number } részben rekonstruált.
provenance-unconfirmed = { $of }: { $total } sorból { $number } nincs megerősítve.
copied = Másolva

## Tippek és az első játszma

hint = Tipp
hint-about = Mit választana egy keresés abból, amit te tudsz
hint-thinking = Előrenéz …
hint-none = Ezekről a választásokról nem mondható semmi.
hint-best = a legjobb: a győzelem { $percent }%-a
hint-alike = nagyjából ugyanolyan jó: { $percent }%; a különbség véletlen is lehet
hint-worse = gyengébb: { $percent }%
hint-won = biztosan nyer, { $number ->
    [one] 1 választással
   *[other] { $number } választással
}
hint-drawn = biztosan döntetlen
hint-lost = biztosan veszít
hint-after = { $iterations } próba innen.
hint-after-worlds = { $iterations } próba { $number } állásban, amelyeket nem tudsz megkülönböztetni.
hint-solved = Pontos, mind a(z) { $positions } lehetséges folytatás alapján.
hint-more = { $number ->
    [one] Még egy választás kevésbé ígéretes.
   *[other] Még { $number } választás kevésbé ígéretes.
}
hint-noise = A számok becslések, véletlenszerűen végigjátszott folytatásokból.
error-no-hint = Itt nincs mit előre kiszámolni.
guide-lit = Ami világít, az választható.
guide-understood = Értem
guide-never = Ne legyen több ilyen
guided-on = Magyarázza el, mi világít, ha új nekem

## A játszma pillanatai

moment = Erről a pillanatról
moment-look = Megnézem
moment-link = Hivatkozás másolása
marks = Jelek
note = Jegyzet
note-about = csak neked
last-turn = Az utolsó lépés újra
copy-notation = Lejegyzés másolása

## Hangok és köszönet

sounds = Hangok
sounds-on = Hang szóljon lépéskor, ha te jössz, és a végén
volume = Hangerő
credits = Kinek a munkája
credits-libraries = Programkönyvtárak
credits-pictures = Képek, hangok, betűk
credits-own-pictures = A táblákat, bábukat és jeleket maga a Rulewright rajzolja, a hangokat is az kelti; a betűk az eszközödéi.
