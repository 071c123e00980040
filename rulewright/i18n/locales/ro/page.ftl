# Cuvintele paginii, în afară de cele ale mesei.

## Peste tot

skip = Sari la conținut
tools = Unelte
close = Închide
cancel = Renunță
dismiss = Ascunde
more = Mai multe
print = Tipărește
loading = Se încarcă …
load-again = Reîncarcă pagina
try-again = Încearcă din nou

## Intrarea

seats-exactly = { $number ->
    [one] 1 jucător
    [few] { $number } jucători
   *[other] { $number } de jucători
}
look-back = Revezi

## O partidă nouă

new-match = Partidă nouă
your-name = Numele tău
seat-number = Locul { $number }
bot-random = la întâmplare
bot-easy = ușor
bot-medium = mediu
bot-hard = greu

## Sala de așteptare, locuri și linkuri

players = Jucători
seat-bot = Robotul { $letter }
seat-person = Jucătorul { $letter }

## La masă

table = Masa
you = (tu)
bot = robot
thinking = la rând
has-won = a câștigat
score = Scor
scores = Scoruri
total = Total
watching = { $number ->
    [one] 1 spectator
    [few] { $number } spectatori
   *[other] { $number } de spectatori
}
your-turn = E rândul tău
title-your-turn = ● E rândul tău – { $title }
turn-of = La rând: { $name }
all-choose = Toți aleg deodată
referee-goes-on = Arbitrul continuă
match-over = Partida s-a încheiat
rules = Reguli
open-clause = Deschide regulile la { $clause }

## Luarea înapoi și acordul

undo = Ia înapoi
ask-undo = Cere să iei înapoi
undo-consent = Trebuie să fie de acord: { $names }
undone = Luat înapoi.
undo-asked = Ceilalți sunt întrebați.
nothing-to-undo = Nu este nimic de luat înapoi.
proposal-undo = { $number ->
    [one] { $name } ar vrea să ia înapoi ultima alegere.
    [few] { $name } ar vrea să ia înapoi ultimele { $number } alegeri.
   *[other] { $name } ar vrea să ia înapoi ultimele { $number } de alegeri.
}
proposal-repair = { $name } ar vrea să revină la pasul { $seq }.
proposal-waits = Mai trebuie să răspundă: { $names }.
agree = De acord
decline = Nu
withdraw = Retrag
propose = Propun

## Sfârșitul

result = Rezultat
winners = { $number ->
    [one] { $names } a câștigat
   *[other] { $names } au câștigat
}
no-winner = Nimeni nu a câștigat
ended-by-agreement = Jucătorii au căzut de acord să o încheie.
hand-over = La rând: { $name }
hand-over-about = Dă dispozitivul mai departe: { $name }. Până îl preia, nu se vede nimic.
hand-over-take = Eu sunt { $name }
proposal-rematch = { $name } dorește o revanșă. Începe când toți sunt de acord.
rematch-declined = { $name } nu dorește o revanșă.
rematch = Revanșă
to-rematch = La revanșă
log = Jurnal
sealed-seed = Sămânța sigilată
sealed-seed-about = Tot hazardul acestei partide vine dintr-o singură sămânță. Sigiliul a fost făcut înainte de prima alegere; sămânța se deschide la sfârșit, ca oricine să o poată verifica.
sealed-seed-check = Cine vrea să verifice salvează jurnalul: `rulewright replay` spune dacă sigiliul, sămânța și toate tragerile se potrivesc.
seed-commitment = Sigiliu
seed-seed = Sămânță
seed-nonce = Sare

## Reluarea

replay = Reluare
replay-position = Pasul partidei
replay-at = { $seq } din { $last }
replay-end = Înapoi la prezent
to-start = La început
step-back = Un pas înapoi
step-on = Un pas înainte
to-end = La sfârșit
play = Redă
pause = Pauză
seen-by = Văzut de
a-spectator = un spectator
the-referee = arbitru
repair = Să revenim aici
repair-sure = Partida continuă de la acest pas, dacă toți ceilalți sunt de acord. Ce a urmat rămâne în jurnal.

## Lângă o masă adevărată

companion-asks = Arbitrul întreabă

## Un singur fișier

open-log = Deschide un jurnal
drop-log = Trage aici un jurnal ca să-i vezi partida
error-not-a-log = Acesta nu este jurnalul unei partide.

## Setări

settings = Setări
language = Limba
names-language = Numele din joc
theme = Culori
theme-auto = ca dispozitivul
theme-light = deschise
theme-dark = închise
motion = Mișcare
motion-auto = ca dispozitivul
motion-full = completă
motion-less = redusă
keyboard = Tastatură
choosing = Alegerea
confirming-on = Arată alegerea încă o dată înainte de a o face
shortcuts-on = Comenzi rapide cu o singură tastă

## Ajutor

help = Ajutor
help-about = Ce poți alege este luminat pe masă. Alege acolo unde se află, parte cu parte; până la ultima parte poți da înapoi.
help-why = Alege ceva ce nu este luminat și arbitrul spune de ce nu se poate: condiția, numerele ei, clauza.
help-shortcuts = Comenzile rapide se pot opri în setări.
key-tab = la grupul următor; în el, cu săgețile
key-enter = alege
key-look = ce este aceasta sau de ce nu se poate alege
key-escape = ia o parte înapoi, închide
key-undo = ia înapoi
key-rules = reguli
key-replay = reluare
key-turn = la masă
key-help = aceste taste

## Ce nu a mers

error-unknown = Ceva nu a mers. { $text }
error-not-yours = Nu ai dreptul să faci asta.
error-not-yet = Se poate vedea după sfârșit.
error-too-large = Fișierul este prea mare.
error-not-offered = Acum nu se poate alege.
error-stale = Între timp masa s-a schimbat. Alege din nou.
error-not-asked = Nu e rândul tău.
error-over = Partida s-a încheiat.
error-not-undone = Nu se poate lua înapoi.
error-no-proposal = Această propunere este deja hotărâtă.
error-fault = Regulile au dat greș. Partida este ca înainte.
error-cancelled = Alegerea nu a fost făcută.
error-replay = În reluare nu se alege nimic.
error-broken-log = Nu este un jurnal al acestui joc, sau a fost schimbat.
provenance = În acest joc nu totul este ca în cel tipărit
provenance-short = reconstituit în parte
provenance-reconstructed = { $of }: { $number } din { $total } rânduri sunt reconstituite.
provenance-partly = { $of }: { $number } din { $total } rânduri sunt reconstituite în parte.
provenance-unconfirmed = { $of }: { $number } din { $total } rânduri nu sunt confirmate.
copied = Copiat

## Momente ale partidei

moment = Despre acest moment
moment-look = Vezi-l
moment-link = Copiază legătura
marks = Semne
note = Notiță
note-about = doar pentru tine
last-turn = Ultima tură din nou
copy-notation = Copiază notația

## Sunete și autori

sounds = Sunete
sounds-on = Redă sunete: la o alegere, la rândul tău, la sfârșit
volume = Volum
credits = A cui e munca
credits-libraries = Biblioteci
credits-pictures = Imagini, sunete, fonturi
credits-own-pictures = Tablele, piesele și semnele le desenează chiar Rulewright, care face și sunetele; fonturile sunt ale dispozitivului tău.
