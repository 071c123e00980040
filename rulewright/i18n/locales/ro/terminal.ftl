# What the terminal says beside what the table says.

## Turns
terminal-only-choice = (singura alegere)
terminal-stopped = { $seat } a fost întrerupt din gândire și a ales din ce găsise.
terminal-your-turn = { $seat }, e rândul tău.
terminal-alone = Când doar { $seat } privește ecranul, apasă Enter.
terminal-go-on = apasă Enter pentru a continua
terminal-kind-human = jucător
terminal-kind-random = la întâmplare
terminal-kind-easy = ușor
terminal-kind-medium = mediu
terminal-kind-hard = greu
terminal-kind-absent = absent
terminal-asked = { $seat }: { $what }
terminal-asked-doing = { $seat }: { $what } ({ $doing })
terminal-chooses = { $seat } alege: { $what } ({ $doing })
terminal-of-set = { $what }, { $index } din { $number }, în ordinea listei
terminal-of-set-between = { $what }, { $index } din { $least } până la { $number }, în ordinea listei
terminal-more-to-choose = { $what }, încă { $number }
terminal-type-the-number = scrie numărul
terminal-top-on = { $piece } peste { $number }
terminal-more-kinds = și încă { $number } feluri

## Answers
terminal-unknown-choice = alegere necunoscută { $typed }: alege din { $keys }
terminal-which-of-these = care dintre acestea: { $choices }
terminal-unknown-command = comandă sau alegere necunoscută `{ $typed }`; `help` arată comenzile
terminal-unknown-word = cuvânt necunoscut `{ $typed }`
terminal-why-what = de ce, ce anume? `why …`, cu cuvinte ca la alegeri
terminal-is-offered = se poate alege: { $choices }
terminal-may-be-possible = poate fi posibil
terminal-cannot-be-chosen = `{ $typed }` nu se poate alege: { $why }
terminal-range = de la { $first } la { $last }
terminal-range-in-steps = de la { $first } la { $last } din { $step } în { $step }
terminal-or = { $ranges }, sau { $range }

## Taking back
terminal-undo-how-many = câte? `undo` retrage o alegere, `undo 3` trei
terminal-undone-nothing = nu s-a retras nimic: { $why }
terminal-undone-own = { $number ->
    [one] ultima ta alegere a fost retrasă
    [few] ultimele { $number } alegeri ale tale au fost retrase
   *[other] ultimele { $number } de alegeri ale tale au fost retrase
}
terminal-undone-all = { $own }, în total { $number }
terminal-wants-back = { $number ->
    [one] { $seat } vrea să retragă ultima alegere, dar { $why }.
    [few] { $seat } vrea să retragă ultimele { $number } alegeri, dar { $why }.
   *[other] { $seat } vrea să retragă ultimele { $number } de alegeri, dar { $why }.
}
terminal-agree = { $seat }, ești de acord? { $yes } sau { $no }:
terminal-does-not-agree = { $why }; { $seat } nu este de acord
terminal-cannot-agree = { $why }; { $seat } ({ $kind }) nu poate fi de acord
terminal-undo-nothing = încă nu s-a ales nimic
terminal-undo-fewer = sunt mai puține alegeri
terminal-undo-still = alții aleg în același timp, iar alegerile lor nu sunt încă cunoscute
terminal-undo-at-once = toți au văzut ce s-a ales în același timp
terminal-undo-chance = între timp s-a văzut ce a adus întâmplarea
terminal-undo-shown = între timp s-a dezvăluit ceva
terminal-undo-may-be-shown = între timp cineva a putut vedea ceva
terminal-undo-uncovered = între timp cineva a văzut ceva nou
terminal-undo-chosen-since = { $seat } a ales între timp
terminal-undo-made-the-last = ultima alegere a fost făcută de { $seat }
terminal-undo-fewer-of-seat = { $seat } nu a ales încă de atâtea ori
terminal-taken-back = retras

## Commands
terminal-help-choose = alege, după număr sau cuvinte ca la alegere
terminal-help-explain = explică o alegere sau orice de pe masă; `?` singur explică decizia
terminal-help-why = de ce nu se poate alege ceva
terminal-help-undo = retrage ultima ta alegere sau N; dacă între timp cineva a aflat sau a ales ceva, ceilalți sunt întrebați
terminal-help-hint = ce ar alege o căutare de N pași din ce știi; și `easy`, `policy:…`
terminal-help-view = desenează masa din nou, fără omisiuni
terminal-help-log = evenimentele recente; `log all` pentru toate
terminal-help-score = punctajul de acum, cu regulile lui
terminal-help-save = salvează partida într-un fișier; se reia cu `--resume`
terminal-help-quit = părăsește masa
terminal-help-help = această listă
terminal-more-before = încă { $number } înainte; `log all` le arată
terminal-log-before = … `log` arată ce a fost înainte
terminal-save-where = unde? `save` și numele unui fișier
terminal-saved = salvat; se reia cu `--resume { $file }`
terminal-save-first = salvezi întâi partida? un nume de fișier, sau Enter pentru nu:
terminal-other-log = Enter pentru a încerca din nou, un nume de fișier pentru a păstra acolo partida, `none` pentru a continua fără, `quit` pentru a ieși:

## Hints
terminal-hint-stopped = căutarea a fost oprită
terminal-hint-none = despre aceste alegeri nu se poate spune nimic
terminal-hint-for-instance = de exemplu { $moves }
terminal-hint-chosen-with = { $choice }  ales cu { $share }%
terminal-hint-policy = după politica { $name }, din ce știi{ $rest }
terminal-hint-value = { $choice }  valoare { $value }
terminal-hint-tried = { $choice }  valoare { $value }, încercat { $share }%
terminal-hint-proved = { $choice }  { $proof }, încercat { $share }%
terminal-hint-solved = rezolvat: { $value }%, din toate cele { $positions } poziții care pot urma{ $rest }
terminal-hint-noise = valorile primelor { $number } alegeri diferă doar prin hazard, cam { $error }: întreabă cu mai mulți pași
terminal-hint-after = { $number ->
    [one] după { $iterations } pași dintr-o poziție{ $rest }
    [few] după { $iterations } pași din { $number } poziții pe care nu le poți deosebi{ $rest }
   *[other] după { $iterations } pași din { $number } de poziții pe care nu le poți deosebi{ $rest }
}
terminal-hint-rest = { $number ->
    [one] , și încă o alegere
    [few] , și încă { $number } alegeri
   *[other] , și încă { $number } de alegeri
}

## The end
terminal-end-won = jocul este câștigat
terminal-end-lost = jocul este pierdut
terminal-end-over = jocul s-a terminat
terminal-nobody-wins = nu câștigă nimeni
terminal-wins = { $seat } câștigă
terminal-everybody-wins = câștigă toți
terminal-win = { $seats } câștigă
terminal-share = { $seats } împart victoria
terminal-undecided = cine a câștigat depinde de ce nu a arătat nimeni
terminal-end-named = { $end }: { $who }
terminal-player = { $seat } ({ $kind })
terminal-by = după
terminal-last-not-kept = ultima alegere nu este păstrată
terminal-not-kept = această partidă nu este păstrată
terminal-not-kept-how = această partidă nu este păstrată; `save …` sau `--log …` o păstrează
terminal-kept-in = partida este păstrată în { $file }
terminal-kept-resume = partida este păstrată; se reia cu `{ $command }`
terminal-kept-next = partida următoare, cu ce se păstrează: `{ $command }`
terminal-seed = sămânța ei a fost { $seed }
terminal-seed-opening = sămânța ei a fost { $seed }; cu completarea { $nonce } deschide angajamentul { $commitment }
terminal-commitment = angajament pentru sămânță: { $commitment }

## At a physical table
terminal-or-all = { $what } (`?` le arată pe toate)?
terminal-or-listed = { $what } ({ $answers })?
terminal-cannot-come = `{ $typed }` nu poate veni aici; `?` arată ce poate
terminal-contradicts = după ce s-a spus înainte, aceasta nu se poate; `undo` retrage ce s-a spus greșit
terminal-nothing-told = încă nu s-a spus nimic
terminal-told-choose = ce a ales un jucător: după număr sau cuvinte ca la alegere
terminal-told-outcome = ce arată un zar sau ce carte a venit; mai multe deodată, cu virgule
terminal-told-unseen = nimeni de la masă nu a văzut ce a venit
terminal-not-kept-told = această partidă nu este păstrată; `--log …` o păstrează
terminal-told-undo = retrage ce s-a spus ultima dată: un răspuns sau o alegere
terminal-told-view = desenează masa din nou
terminal-told-score = punctajul, cât îl știu toți
terminal-proved-won = { $number ->
    [one] sigur câștigat, într-o alegere
    [few] sigur câștigat, în { $number } alegeri
   *[other] sigur câștigat, în { $number } de alegeri
}
terminal-proved-lost = { $number ->
    [one] sigur pierdut, într-o alegere
    [few] sigur pierdut, în { $number } alegeri
   *[other] sigur pierdut, în { $number } de alegeri
}
terminal-proved-drawn = { $number ->
    [one] sigur remiză, într-o alegere
    [few] sigur remiză, în { $number } alegeri
   *[other] sigur remiză, în { $number } de alegeri
}

## A match that is played again
terminal-replay-seats = { $number ->
    [one] 1 loc
    [few] { $number } locuri
   *[other] { $number } de locuri
}
terminal-replay-seed = sămânța { $seed }
terminal-replay-player = { $seat } este { $kind }
terminal-next-match = Urmează partida următoare, cu ce se păstrează? ({ $yes } sau Enter pentru ieșire)
terminal-replay-carried = începută cu ce s-a păstrat:
terminal-replay-begun = începută dintr-o poziție
terminal-replay-begun-at = începută dintr-o poziție, la { $phase }, rândul lui { $seat }
terminal-replay-position = poziția după pasul { $number }:
terminal-replay-phase = faza { $phase }, rândul lui { $seat }
terminal-replay-unknown = necunoscut
terminal-replay-unseen = { $number } ascunse
terminal-replay-chosen = ales până acum: { $what }
terminal-replay-not-over = partida nu s-a terminat
terminal-replay-has-to-choose = { $seat } trebuie să aleagă
terminal-replay-chooses-of = { $seat } trebuie să aleagă: { $choices }
terminal-replay-torn = jurnalul se întrerupe în mijlocul unui rând; se reia până acolo
terminal-replay-fits = sămânța { $seed } cu completarea { $nonce } i se potrivește
terminal-replay-does-not-fit = sămânța { $seed } cu completarea { $nonce } nu i se potrivește
terminal-replay-won-by = câștigată de { $seats }
terminal-replay-nobody = nu a câștigat nimeni
terminal-replay-resigned = un jucător a renunțat
terminal-replay-resigned-seat = { $seat } a renunțat
terminal-replay-time = timpul a expirat
terminal-replay-time-seat = timpul lui { $seat } a expirat
terminal-replay-agreed = încheiată de comun acord, fără rezultat
terminal-replay-closed = masa a fost închisă
