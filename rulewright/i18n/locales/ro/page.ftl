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
hand-over = La rând: { $name }
hand-over-about = Dă dispozitivul mai departe: { $name }. Până îl preia, nu se vede nimic.
hand-over-take = Eu sunt { $name }
rematch-declined = { $name } nu dorește o revanșă.
next-match = Partida următoare
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
error-not-now = Acum nu este posibil.
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
planning-on = Plănuiește o mutare cât timp celălalt este la rând, dacă nimic ascuns sau întâmplător nu poate interveni
sole-on = Alege singură ultima dintre mai multe
shortcuts-on = Comenzi rapide cu o singură tastă

## Ajutor

help = Ajutor
help-about = Ce poți alege este luminat pe masă. Alege acolo unde se află, parte cu parte; până la ultima parte poți da înapoi.
help-why = Alege ceva ce nu este luminat și arbitrul spune de ce nu se poate: condiția, numerele ei, clauza.
help-hand = O piesă se mută prin două apăsări sau trăgând-o; altă piesă a ta o înlocuiește în mână, iar aceeași este pusă jos. Ține mausul pe ceva, apasă lung cu degetul sau apasă cu butonul drept, ca să citești fără să alegi.
help-shortcuts = Comenzile rapide se pot opri în setări.
key-tab = la grupul următor
key-arrows = la următorul lucru din grup
key-enter = alege
key-look = citește ce este aceasta, ce face sau de ce nu se poate alege
key-zoom = mai mare, mai mică, întreagă: tabla aleasă
key-escape = ia înapoi o parte sau planul, închide
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
error-replay = În reluare nu se alege nimic.
error-broken-log = Nu este un jurnal al acestui joc, sau a fost schimbat.
provenance = În acest joc nu totul este ca în cel tipărit
provenance-short = nu totul ca în original
provenance-reconstructed = { $of }: { $number } din { $total } rânduri sunt reconstituite.
provenance-partly = { $of }: { $number } din { $total } rânduri sunt reconstituite în parte.
provenance-unconfirmed = { $of }: { $number } din { $total } rânduri nu sunt confirmate.
copied = Copiat

## Sugestii și prima partidă

hint = Sugestie
hint-about = Ce ar alege o căutare, din ce știi tu
hint-thinking = Se gândește înainte …
hint-none = Despre aceste alegeri nu se poate spune nimic.
hint-best = cea mai bună: { $percent }% din victorie
hint-alike = cam la fel de bună: { $percent }%; diferența poate fi întâmplătoare
hint-worse = mai slabă: { $percent }%
hint-won = câștigă sigur, în { $number ->
    [one] 1 alegere
    [few] { $number } alegeri
   *[other] { $number } de alegeri
}
hint-drawn = remiză sigură
hint-lost = pierde sigur
hint-after = După { $iterations } încercări de aici.
hint-after-worlds = După { $iterations } încercări în { $number } poziții pe care nu le poți deosebi.
hint-solved = Exact, din toate cele { $positions } poziții care pot urma.
hint-more = { $number ->
    [one] Încă o alegere e mai puțin promițătoare.
    [few] Încă { $number } alegeri sunt mai puțin promițătoare.
   *[other] Încă { $number } de alegeri sunt mai puțin promițătoare.
}
hint-noise = Numerele sunt estimări din continuări jucate la întâmplare până la capăt.
error-no-hint = Aici nu e nimic de calculat înainte.
guide-lit = Ce este luminat poate fi ales.
guide-understood = Am înțeles
guide-never = Nu mai arăta
guided-on = Explică-mi ce se luminează când e ceva nou

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
