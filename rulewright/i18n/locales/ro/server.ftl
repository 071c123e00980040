# Ce spune numai pagina unui server: sala, mese noi, locuri și legături.

## Peste tot

home = Rulewright, înapoi la intrare
save = Salvează
saved = Salvat
copy = Copiază
to-lobby = Înapoi la intrare
not-here = La această adresă nu se află nimic
reconnecting = Conexiunea s-a întrerupt. Se reia …
reconnecting-kept = Alegerea ta este păstrată și se trimite atunci.
kept-rules = Regulile acestui joc s-au schimbat între timp; partida continuă cu ale ei.
kept-rules-changed = S-au schimbat: { $what }.
abandon = Încheie fără rezultat
abandon-sure = Partida se încheie pentru toți, dacă toți sunt de acord.
resign = Abandonez
resign-sure = Renunți la partidă. Nu se mai poate da înapoi.
notices = Când e rândul tău
notify-on = Arată o notificare când pagina este în fundal
notify-refused = Browserul nu permite. Poți permite în setările browserului.

## Intrarea

lobby = Intrare
games = Jocuri
search-games = Caută un joc
no-games = Niciun joc nu se potrivește.
find-players = Jucători
find-players-any = oricâți
find-length = Durată
find-length-any = oricare
find-length-short = până la 10 minute
find-length-middle = 10–30 de minute
find-length-long = peste 30 de minute
find-weight = Greutate
find-weight-any = oricare
find-tag = Fel
find-tag-any = toate felurile
find-sort = Ordine
sort-title = după nume
sort-minutes = întâi cele scurte
sort-weight = întâi cele ușoare
weight-light = ușor
weight-medium = greutate medie
weight-heavy = greu
weight-about = Măsurat: câte reguli sunt, câte alegeri și cât ajută gândirea în avans
about-minutes = cam { $minutes } min
games-found = { $number ->
    [one] 1 joc
    [few] { $number } jocuri
   *[other] { $number } de jocuri
}
hints-allowed = Sugestiile sunt permise: ce ar alege o căutare
hints-forbidden = fără sugestii
filters = Filtre
clear-filters = Arată toate
play-now = Joacă împotriva unui robot
play-now-about = Începe imediat, cum propun regulile, cu robotul obișnuit la celelalte locuri
in-short = Pe scurt
dismiss-match = Renunță
dismiss-bots = Renunță la toate partidele neterminate cu roboți
dismiss-sure = Se încheie fără rezultat și dispar din lista ta.
dismiss-one-sure = Se încheie fără rezultat și dispare din lista ta.
tag-abstract = abstract
tag-auction = licitație
tag-betting = mize
tag-bluff = cacealma
tag-board = joc de tablă
tag-capture = capturare
tag-cards = joc de cărți
tag-children = pentru copii
tag-classic = clasic
tag-connection = conectare
tag-cooperative = cooperativ
tag-deduction = deducție
tag-dice = zaruri
tag-drafting = alegere de cărți
tag-economy = economic
tag-hand = formații în mână
tag-hidden = informație ascunsă
tag-map = hartă
tag-puzzle = puzzle
tag-race = cursă
tag-rows = la rând
tag-simultaneous = simultan
tag-solo = pentru unul
tag-sowing = semănat
tag-teams = echipe
tag-territory = teritoriu
tag-trading = schimb
tag-tricks = joc cu levate
tag-workers = lucrători
upload = Încarcă un set de reguli
my-matches = Partidele tale
open-matches = Mese deschise
watch-matches = De privit
unreadable-matches = Partide care nu pot fi citite
unreadable-match = O partidă
unreadable-about = Ce a păstrat serverul din ea este deteriorat. Spune-i celui care administrează serverul acest nume:
state-unreadable = de necitit
log-elsewhere = Acesta este jurnalul unei partide de { $game }, iar un server nu deschide jurnale. Trage-l peste jocul într-un singur fișier, pe care îl scrie `rulewright export { $game } --into FIȘIER`, sau continuă cu `rulewright play { $game } --resume JURNAL`.
lost-seat = Acest link nu mai deschide niciun loc. Cere unul nou de la cel care ți l-a trimis.
seats-range = { $fewest }–{ $most } jucători
seats-some = { $numbers } jucători
state-open = așteaptă jucători
state-running = în desfășurare
state-over = încheiată
state-abandoned = încheiată fără rezultat
sit-down = Mă așez
watch = Privesc
open-match = Deschide
play-on = Joacă

## O partidă nouă

who-plays = Cine joacă?
name-placeholder = așa cum îl văd ceilalți
how-many = Jucători
company = Ceilalți sunt
company-bot = Roboți
company-invited = Prieteni, prin link
company-open = Oricine
company-me = La acest dispozitiv
company-companion = O masă adevărată
company-companion-help = Jucați cu cărțile și zarurile voastre; arbitrul urmărește ce îi spuneți. Dați locuri prietenilor, dacă vreți să spuneți de pe mai multe dispozitive.
player-me = eu, la acest dispozitiv
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
set-exactly = De ales: { $number }
set-between = De ales: { $least }–{ $most }
set-chosen = alese: { $number }
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
chance-system = de la server
chance-system-help = Pe rând, când este nevoie. Nimeni nu poate ști dinainte.
chance-committed = dintr-o sămânță sigilată
chance-committed-help = Sămânța se sigilează la început și se deschide la sfârșit, ca oricine să o poată verifica.
bots-at-random = Roboții aleg aici la întâmplare; nu calculează înainte.
make-table = Deschide masa
start-match = Începe

## Sala de așteptare, locuri și linkuri

waiting-for-players = Se așteaptă jucători
share-address = Cine are adresa acestei pagini găsește masa.
seats-and-links = Locuri și linkuri
links-about = Un link deschide un loc pe orice dispozitiv. Trimite-l doar celui care va sta acolo.
get-link = Link
seat-link = Linkul locului
seat-code = Codul legăturii către loc, pentru o cameră
no-seat-codes = Acest server nu arată coduri pentru camere: îi lipsește pachetul segno.
revoke-link = Link nou, cele vechi nu mai sunt valabile
revoke-sure = Cine ocupă locul printr-un link mai vechi îl pierde și îl recapătă doar prin cel nou.
seat-a-bot = Pune un robot
play-here = Joc de aici
leave-seat = Mă ridic
close-match = Închide masa
close-match-sure = Masa dispare pentru toată lumea.
seat-open = loc liber
seat-invited = loc rezervat
state-seat-open = liber
state-seat-invited = își așteaptă oaspetele
cannot-open = Această masă nu poate fi deschisă
cannot-open-game = Acest joc nu poate fi deschis

## La masă

present = prezent
away = plecat
time-left = Timp rămas
time-short = Timpul tău se termină.

## Luarea înapoi și acordul

proposal-abandon = { $name } ar vrea să încheie partida fără rezultat.
rematch = Revanșă
proposal-rematch = { $name } dorește o revanșă. Începe când toți sunt de acord.

## Sfârșitul

ended-by-agreement = Jucătorii au căzut de acord să o încheie.
ended-by-resignation = Un jucător a abandonat.
ended-by-clock = Un jucător a rămas fără timp.
ended-by-owner = Masa a fost închisă.

## Setări

notices-away = Când nu ești aici
notice-mail = Adresă de e-mail
notice-webhook = Adresă web de apelat
is-set = este setată
turn-off = Oprește

## Ce nu a mers

error-offline = Serverul nu poate fi găsit.
error-malformed = Serverul nu a înțeles pagina. Încarc-o din nou.
error-other-origin = Pagina nu este la adresa serverului ei.
error-not-allowed = Acest lucru nu este permis aici.
error-not-found = Nu există un astfel de joc sau o astfel de partidă, sau nu îți este deschisă.
error-taken = Altcineva a luat acest loc.
error-not-playable = Nu se poate juca așa.
error-too-many = Prea multe cereri. Așteaptă puțin.
error-not-available = Serverul nu este disponibil. Încearcă din nou peste puțin timp.
error-not-started = Partida nu a început încă.
error-spectator = Spectatorii doar privesc.
error-too-costly = Regulile acestui joc cer prea mult timp de la server. Nimic nu s-a schimbat; încearcă din nou peste un minut.
error-not-kept = Serverul nu a putut păstra alegerea. Încearcă din nou.
error-protocol = Serverul vorbește altă versiune. Încarcă din nou pagina.
error-revoked = Linkul acestui loc nu mai este valabil.
error-going-down = Serverul se oprește pentru o clipă.
error-too-fast = Prea multe mesaje. Încarcă din nou pagina peste puțin timp.
error-closed = Masa este închisă.
error-failed = Serverul a greșit. Încearcă din nou.
name-of-seat = Numele locului { $number }
ended-by-clock-of = { $name } a rămas fără timp.
ended-by-resignation-of = { $name } a abandonat.
notice-mail-wrong = Aceasta nu este o adresă de e-mail.
notice-webhook-wrong = Aceasta nu este o adresă web care poate fi apelată: începe cu https:// sau http://.

## Ce se putea ști

beliefs = Ce se putea ști?
beliefs-what = Pentru fiecare loc ascuns: ce poate fi acolo și cu ce șansă, doar din reguli și din ce i s-a spus acestui loc până atunci.
beliefs-of = Ce putea ști { $name }
beliefs-thinking = Se calculează …
beliefs-none = La acest pas nu s-a găsit nicio partidă care să se potrivească cu tot ce i s-a spus acestui loc.
beliefs-too-long = Calculul a durat prea mult. Încearcă din nou sau mergi la un pas anterior.
beliefs-nothing-hidden = Aici nimic nu este ascuns.
beliefs-exact = { $worlds ->
    [one] Exact: există o singură posibilitate.
    [few] Exact: toate cele { $worlds } posibilități.
   *[other] Exact: toate cele { $worlds } de posibilități.
}
beliefs-sample = Estimat dintr-un eșantion de mărimea { $worlds }, cât { $effective } independente. În paranteze: unde se află șansa cu 95 %.
beliefs-approximate = Estimat grosier: s-au găsit puține posibilități, cât { $effective } independente.
beliefs-model = Se presupune că ceilalți aleg cu șanse egale orice li se oferă.
beliefs-percent = { $number } %
beliefs-below-one = < 1 %
beliefs-range = ({ $low } – { $high })
beliefs-real = era acolo
beliefs-more = Încă { $number }
beliefs-fewer = Mai puține

## Discuții

talk = Discuții
talk-unread = { $number ->
    [one] Discuții, 1 mesaj nou
    [few] Discuții, { $number } mesaje noi
   *[other] Discuții, { $number } de mesaje noi
}
says = { $name }: { $text }
phrases = Replici
phrase-hello = Salut!
phrase-luck = Mult noroc!
phrase-good-move = Bună mutare!
phrase-thanks = Mulțumesc.
phrase-moment = O clipă, te rog.
phrase-your-turn = E rândul tău.
phrase-sorry = Scuze.
phrase-oops = A fost o scăpare.
phrase-well-played = Frumos jucat!
phrase-bye = La revedere!
talk-write = Scrie ceva
send = Trimite
talk-nothing = Încă n-a spus nimeni nimic.
talk-sending = Se trimite …
talk-waits = Se trimite când revine conexiunea.
talk-not-sent = Nu s-a trimis.
talk-mute = Pe cine nu asculți
talk-allowed = Ce se poate spune
talk-off = La această masă nu se discută.
talk-auto = după cum cer locurile
talk-auto-help = Între necunoscuți replici, între invitați text liber.
talk-none = nimic
talk-none-help = Nu se spune nimic, iar ce s-a spus nu se mai vede.
talk-phrases = replici
talk-phrases-help = Replici gata făcute, pe care fiecare le citește în limba sa.
talk-free = replici și text liber
talk-free-help = Orice vor jucătorii să scrie.
talk-spectators = Citesc și spectatorii
talk-spectators-only-read = Vorbesc doar jucătorii.
mark-heart = minunat
mark-star = puternic
mark-wow = surprinzător
mark-laugh = amuzant
mark-question = îndoielnic
error-said-enough = Ai spus multe în scurt timp. Așteaptă puțin.
error-marked-enough = Partida are deja câte semne poate avea.
playtest = Partidă de test
playtest-what = Masa aceasta este o partidă de test. Dacă ești de acord, serverul păstrează, fără numele tău: cât te gândești la alegeri, pe care le retragi, ce îți refuză regulile și când întrebi de ce, indiciile, momentele pe care le marchezi și răspunsurile tale de la sfârșit.
playtest-version = Versiunea regulilor: { $version }
playtest-how-long = Până la sfârșit rămâne în baza de date a serverului; apoi este un fișier pentru autorul jocului, șters odată cu partida.
playtest-free = Poți juca la fel de bine și fără. Te poți retrage oricând, și după sfârșit: atunci se șterge tot ce este al tău.
playtest-yes = Sunt de acord
playtest-no = Nu, mulțumesc
playtest-withdraw = Mă retrag și șterg ce este al meu
playtest-delete = Șterge tot ce ține de această partidă
playtest-delete-sure = Se șterge tot ce au acceptat jucătorii acestei partide să fie păstrat.
playtest-comment = Ce este neclar, ciudat sau bun aici?
playtest-mark = Marchează momentul
