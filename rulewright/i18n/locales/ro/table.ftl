# Masa: ce se află pe ea, ce se poate face, ce s-a întâmplat.

table-loading = Masa se pregătește.
table-you = tu
table-winner = câștigător
table-active = este la rând
table-to-choose = alege
table-shared = Comun
table-remembered = Ce țin minte regulile
table-before = Ce are { $seat }
table-turn-board = Întoarce tabla
table-seat = Loc: { $seat }
table-board = Tabla: { $board }
table-of = { $thing } ({ $seat })
table-in = { $thing }, { $place }
table-several = { $number ->
    [one] { $thing }
   *[other] { $number } × { $thing }
}
table-unseen = { $piece } (ascuns)
table-pile = { $zone }, { $number ->
    [one] o piesă
    [few] { $number } piese
   *[other] { $number } de piese
}
table-not-in-sight = Nu se văd: { $number } din { $all }
table-hidden = Nu se văd
table-empty = Gol:
table-cell = { $place }: { $things }
table-cell-empty = { $place }: gol
table-counted = { $thing } { $number }
table-pointing = { $thing }: { $value }
table-thing-choice = { $thing } — alege: { $choice }
table-thing-choices = { $thing } — { $number ->
    [few] { $number } posibilități
   *[other] { $number } de posibilități
}
table-yes = da
table-no = nu
table-column-row = rând
table-column-column = coloană
table-none = nimic

## Alegerea
table-actions = Ce poți face
table-choose = Alege: { $what }
table-choose-for = { $what } — { $by }
table-choose-action = Alege ce faci
table-set-exact = { $what }, { $index } din { $number }
table-set-up-to = { $what }, { $index } din cel mult { $number }
table-set-between = { $what }, { $index } din { $least }–{ $number }
table-set-chosen = Ales: { $things }
table-wait = Nimeni nu are de ales acum.
table-tell = Arbitrul întreabă ce a ieșit: { $what }
table-wait-together = Toți aleg deodată: se așteaptă cei care nu au ales încă.
table-waiting = Se așteaptă: { $seats }
table-over = Partida s-a încheiat. { $number ->
    [one] Câștigător: { $winners }
   *[other] Câștigători: { $winners }
}
table-over-nobody = Partida s-a încheiat. Nu câștigă nimeni.
table-all-actions = Toate acțiunile
table-so-many-choices = { $number ->
    [one] , o posibilitate
    [few] , { $number } posibilități
   *[other] , { $number } de posibilități
}
table-take-back = Ia înapoi
table-take-back-it = Ia înapoi: { $thing }
table-reveal = Arată ce se poate alege
table-look = Privește sau întreabă de ce nu
table-search = Caută
table-search-found = { $number } găsite, prima: { $first }
table-ask-why = { $action } — de ce nu?
table-sure = Alegi asta?
table-untaken = Această apăsare nu a fost luată în seamă: tocmai a apărut altceva acolo. Alege din nou.
table-plan-dropped = Ce era plănuit nu mai este posibil.
table-planned = Plănuit: { $things }
table-plan-cancel = Renunță la plan
table-out-of-sight-up = { $number ->
    [one] Mai sus este un lucru care poate fi ales: mergi acolo
    [few] Mai sus sunt { $number } lucruri care pot fi alese: mergi acolo
   *[other] Mai sus sunt { $number } de lucruri care pot fi alese: mergi acolo
}
table-out-of-sight-down = { $number ->
    [one] Mai jos este un lucru care poate fi ales: mergi acolo
    [few] Mai jos sunt { $number } lucruri care pot fi alese: mergi acolo
   *[other] Mai jos sunt { $number } de lucruri care pot fi alese: mergi acolo
}
table-out-of-sight-left = { $number ->
    [one] Mai la stânga este un lucru care poate fi ales: mergi acolo
    [few] Mai la stânga sunt { $number } lucruri care pot fi alese: mergi acolo
   *[other] Mai la stânga sunt { $number } de lucruri care pot fi alese: mergi acolo
}
table-out-of-sight-right = { $number ->
    [one] Mai la dreapta este un lucru care poate fi ales: mergi acolo
    [few] Mai la dreapta sunt { $number } lucruri care pot fi alese: mergi acolo
   *[other] Mai la dreapta sunt { $number } de lucruri care pot fi alese: mergi acolo
}
table-zoom-in = Mărește
table-zoom-out = Micșorează
table-less = Mai puțin
table-more = Mai mult
table-number = { $first }
table-numbers = de la { $first } la { $last }
table-numbers-in-steps = de la { $first } la { $last }, din { $step } în { $step }
table-close = Închide

## De ce
table-why-not = De ce nu { $action }?
table-why-not-this = De ce nu aceasta?
table-needed = Condiția:
table-but = Dar
table-refused-now = Acum nu se poate.
table-refused-pass = Nu poate fi refuzat.
table-refused-words = Se oferă cu alte cuvinte.
table-refused-value = Nu este printre cele ce pot fi alese aici.
table-refused-nothing = Tot ce s-ar putea alege aici este exclus:
table-refused-empty = Aici nu se alege nimic.
table-refused-nothing-of = După aceea nu ar mai fi nimic de ales pentru: { $name }.
table-refused-range = { $name } ar ieși din limite.
table-refused-pay = { $name }: de plătit { $number }, există { $found }.
table-no-answer = Nu a venit niciun răspuns.
table-clause = Punctul { $clause } { $heading }

## Puncte
table-score = Puncte
table-score-of = Punctele lui { $seat }: { $total }
table-total = Total
table-tie = La egalitate: { $line }
table-secret = secret

## Povestea
table-story = Ce s-a întâmplat
table-story-all = Arată tot
table-story-chose = { $seat }: { $words }
table-story-answer = { $words } ({ $what })
table-story-chose-hidden = { $seat } alege ceva ascuns
table-story-hidden = ceva ascuns
table-story-turn = Rândul lui { $seat }
table-story-moved-both = { $piece }: { $from } → { $to }
table-story-moved-to = { $piece } → { $to }
table-story-moved-from = { $piece } pleacă de la { $from }
table-story-unseen = { $number ->
    [one] { $thing } (ascuns)
   *[other] { $number } × { $thing } (ascuns)
}
table-story-changed = { $thing }: { $old } → { $now }
table-story-unmarked = nu mai: { $thing }
table-story-listed = { $thing }: { $things }
table-story-shown = { $seat } vede { $pieces }
table-story-shown-hidden = { $seat } vede ceva ascuns
table-story-on-top = Deasupra, în { $zone }: { $piece }
table-story-shuffled = { $place } se amestecă
table-story-more = { $number ->
    [one] încă una
    [few] încă { $number }
   *[other] încă { $number }
}
table-story-ended = Partida s-a încheiat.
table-story-ended-by = Partida s-a încheiat: { $end }
table-odds = { $number ->
    [one] Ce putea ieși
    [few] Ce putea ieși, de { $number } ori
   *[other] Ce putea ieși, de { $number } de ori
}
