# Cuvintele paginii, în afară de cele ale mesei.

## Peste tot

home = Rulewright, înapoi la intrare
skip = Sari la conținut
tools = Unelte
close = Închide
cancel = Renunță
dismiss = Ascunde
save = Salvează
saved = Salvat
copy = Copiază
copied = Copiat
more = Mai multe
print = Tipărește
loading = Se încarcă …
load-again = Reîncarcă pagina
try-again = Încearcă din nou
to-lobby = Înapoi la intrare
not-here = La această adresă nu se află nimic

## Intrarea

lobby = Intrare
games = Jocuri
search-games = Caută un joc
no-games = Niciun joc nu se numește așa.
upload = Încarcă un set de reguli
my-matches = Partidele tale
open-matches = Mese deschise
watch-matches = De privit
lost-seat = Acest link nu mai deschide niciun loc. Cere unul nou de la cel care ți l-a trimis.
seats-exactly = { $number ->
    [one] 1 jucător
    [few] { $number } jucători
   *[other] { $number } de jucători
}
seats-range = { $fewest }–{ $most } jucători
state-open = așteaptă jucători
state-running = în desfășurare
state-over = încheiată
state-abandoned = încheiată fără rezultat
sit-down = Mă așez
watch = Privesc
open-match = Deschide
play-on = Joacă
look-back = Revezi

## O partidă nouă

new-match = Partidă nouă
who-plays = Cine joacă?
your-name = Numele tău
name-placeholder = așa cum îl văd ceilalți
how-many = Jucători
company = Ceilalți sunt
company-bot = Roboți
company-invited = Prieteni, prin link
company-open = Oricine
company-me = La acest dispozitiv
company-companion = O masă adevărată
company-companion-help = Jucați cu cărțile și zarurile voastre; arbitrul urmărește ce îi spuneți. Dați locuri prietenilor, dacă vreți să spuneți de pe mai multe dispozitive.
seat-number = Locul { $number }
name-of-seat = Numele locului { $number }
player-me = eu, la acest dispozitiv
player-bot = un robot
player-invited = invitat prin link
player-open = deschis oricui
pace = Cât de repede?
clock-none = Fără ceas
clock-move = Timp pentru fiecare mutare
clock-match = Timp pentru toată partida
clock-days = Zile pentru fiecare mutare
seconds-a-move = Secunde pentru fiecare mutare
minutes-a-match = Minute pentru fiecare jucător
increment = Secunde adăugate după fiecare mutare
days-a-move = Zile pentru fiecare mutare
expiry = Când expiră timpul
expiry-forfeit = partida este pierdută
expiry-absent = mută regula pentru cei absenți
clock-days-text = { $days ->
    [one] 1 zi pe mutare
    [few] { $days } zile pe mutare
   *[other] { $days } de zile pe mutare
}
clock-move-text = { $time } pe mutare
clock-match-text = câte { $time }
clock-match-increment-text = câte { $time }, + { $increment } s pe mutare
clock-days-left = { $days } z { $time }
options = Opțiuni
rulings = Interpretări
rulings-about = Acolo unde regulamentul tace sau poate fi citit în două feluri, se joacă după aceste interpretări.
rulings-number = { $number }
rulings-changed = { $number ->
    [one] 1 schimbată
    [few] { $number } schimbate
   *[other] { $number } de schimbări
}
proposed = propusă
because = De ce: { $why }
more-settings = Spectatori, hazard și alte setări
visibility = Cine găsește partida
visibility-auto = după locuri
visibility-auto-help = Apare la intrare dacă un loc este deschis oricui.
visibility-open = toată lumea
visibility-open-help = Apare la intrare.
visibility-invited = cine are adresa
visibility-invited-help = Nu apare la intrare.
visibility-private = doar jucătorii
visibility-private-help = Nimeni altcineva nu o poate deschide.
watching-by = Spectatori
watching-by-all = bine-veniți
watching-by-all-help = Văd ceea ce este deschis tuturor.
watching-by-late = cu câteva mutări în urmă
watching-by-late-help = Văd masa așa cum era cu zece alegeri în urmă.
watching-by-nobody = fără spectatori
watching-by-nobody-help = Jucătorii sunt între ei.
chance = Zaruri și cărți
chance-system = de la server
chance-system-help = Pe rând, când este nevoie. Nimeni nu poate ști dinainte.
chance-committed = dintr-o sămânță sigilată
chance-committed-help = Sămânța se sigilează la început și se deschide la sfârșit, ca oricine să o poată verifica.
chance-companion = din cutia voastră
chance-companion-help = Voi aruncați și trageți la masă și îi spuneți arbitrului ce a ieșit.
undo-policy = Luarea înapoi
undo-policy-free = cât timp nimeni nu a aflat nimic
undo-policy-free-help = Dincolo de asta sunt întrebați ceilalți.
undo-policy-consent = dacă ceilalți sunt de acord
undo-policy-consent-help = Ceilalți sunt întrebați de fiecare dată.
undo-policy-none = niciodată
undo-policy-none-help = Ce s-a ales rămâne ales.
bots = Roboți
bot-random = la întâmplare
bot-playouts = își încearcă alegerile
make-table = Deschide masa
start-match = Începe

## Sala de așteptare, locuri și linkuri

players = Jucători
waiting-for-players = Se așteaptă jucători
share-address = Cine are adresa acestei pagini găsește masa.
seats-and-links = Locuri și linkuri
links-about = Un link deschide un loc pe orice dispozitiv. Trimite-l doar celui care va sta acolo.
get-link = Link
seat-link = Linkul locului
revoke-link = Link nou, cele vechi nu mai sunt valabile
seat-a-bot = Pune un robot
play-here = Joc de aici
other-seat = Acum e la rând { $name }: și acest loc este al tău.
leave-seat = Mă ridic
close-match = Închide masa
close-match-sure = Masa dispare pentru toată lumea.
seat-open = loc liber
seat-invited = loc rezervat
seat-bot = Robotul { $letter }
seat-person = Jucătorul { $letter }
state-seat-open = liber
state-seat-invited = își așteaptă oaspetele
cannot-open = Această masă nu poate fi deschisă

## La masă

table = Masa
you = (tu)
bot = robot
present = prezent
away = plecat
thinking = la rând
has-won = a câștigat
score = Scor
scores = Scoruri
total = Total
time-left = Timp rămas
time-short = Timpul tău se termină.
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
reconnecting = Conexiunea s-a întrerupt. Se reia …
kept-rules = Regulile acestui joc s-au schimbat între timp; partida continuă cu ale ei.
kept-rules-changed = S-au schimbat: { $what }.
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
proposal-abandon = { $name } ar vrea să încheie partida fără rezultat.
proposal-waits = Mai trebuie să răspundă: { $names }.
agree = De acord
decline = Nu
withdraw = Retrag
propose = Propun
abandon = Încheie fără rezultat
abandon-sure = Partida se încheie pentru toți, dacă toți sunt de acord.
resign = Abandonez
resign-sure = Renunți la partidă. Nu se mai poate da înapoi.

## Sfârșitul

result = Rezultat
winners = { $number ->
    [one] { $names } a câștigat
   *[other] { $names } au câștigat
}
no-winner = Nimeni nu a câștigat
ended-by-agreement = Jucătorii au căzut de acord să o încheie.
ended-by-resignation = Un jucător a abandonat.
ended-by-clock = Un jucător a rămas fără timp.
ended-by-clock-of = { $name } a rămas fără timp.
ended-by-resignation-of = { $name } a abandonat.
ended-by-owner = Masa a fost închisă.
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

companion = De la masa voastră
what-came = Ce a ieșit: { $what }?
cancel-choice = Renunță la alegere
outcome-unseen = Nimeni nu a văzut
told-so-far = Spus până acum: { $outcomes }

## Un singur fișier

human = un om
take-players = Cine joacă?
begin = Începe
hand-over = La rând: { $name }
hand-over-about = Dă dispozitivul mai departe: { $name }. Până îl preia, nu se vede nimic.
hand-over-take = Eu sunt { $name }
open-log = Deschide un jurnal
drop-log = Trage aici un jurnal ca să-i vezi partida
log-opened = Jurnalul este deschis.
variant = Variantă

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
notices = Când e rândul tău
sound-on = Redă un sunet scurt
notify-on = Arată o notificare când pagina este în fundal
notify-refused = Browserul nu permite. Poți permite în setările browserului.
keyboard = Tastatură
choosing = Alegerea
confirming-on = Arată alegerea încă o dată înainte de a o face
shortcuts-on = Comenzi rapide cu o singură tastă
notices-away = Când nu ești aici
notice-mail = Adresă de e-mail
notice-mail-wrong = Aceasta nu este o adresă de e-mail.
notice-webhook-wrong = Aceasta nu este o adresă web care poate fi apelată: începe cu https:// sau http://.
notice-webhook = Adresă web de apelat
is-set = este setată
turn-off = Oprește

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
error-offline = Serverul nu poate fi găsit.
error-malformed = Serverul nu a înțeles pagina. Încarc-o din nou.
error-other-origin = Pagina nu este la adresa serverului ei.
error-not-yours = Nu ai dreptul să faci asta.
error-not-allowed = Acest lucru nu este permis aici.
error-not-found = Nu există un astfel de joc sau o astfel de partidă, sau nu îți este deschisă.
error-taken = Altcineva a luat acest loc.
error-not-now = Acum nu este posibil.
error-not-yet = Se poate vedea după sfârșit.
error-too-large = Fișierul este prea mare.
error-not-playable = Nu se poate juca așa.
error-too-many = Prea multe cereri. Așteaptă puțin.
error-not-available = Serverul nu este disponibil. Încearcă din nou peste puțin timp.
error-not-offered = Acum nu se poate alege.
error-stale = Între timp masa s-a schimbat. Alege din nou.
error-not-asked = Nu e rândul tău.
error-over = Partida s-a încheiat.
error-not-started = Partida nu a început încă.
error-not-undone = Nu se poate lua înapoi.
error-no-proposal = Această propunere este deja hotărâtă.
error-spectator = Spectatorii doar privesc.
error-fault = Regulile au dat greș. Partida este ca înainte.
error-not-kept = Serverul nu a putut păstra alegerea. Încearcă din nou.
error-protocol = Serverul vorbește altă versiune. Încarcă din nou pagina.
error-revoked = Linkul acestui loc nu mai este valabil.
error-going-down = Serverul se oprește pentru o clipă.
error-too-fast = Prea multe mesaje. Încarcă din nou pagina peste puțin timp.
error-closed = Masa este închisă.
error-cancelled = Alegerea nu a fost făcută.
error-replay = În reluare nu se alege nimic.
error-needs-outcome = Arbitrul așteaptă ce a ieșit la masa voastră.
error-not-possible = Nu se poate. Spuneți una dintre cele oferite sau luați înapoi ce ați spus greșit.
error-broken-log = Nu este un jurnal al acestui joc, sau a fost schimbat.
