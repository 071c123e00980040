# Az asztal: mi van rajta, mit lehet tenni, mi történt.

table-loading = Az asztal készül.
table-you = te
table-winner = győztes
table-active = ő van soron
table-to-choose = választ
table-shared = Közös
table-remembered = Amit a szabályok megjegyeznek
table-before = { $seat } holmija
table-turn-board = A tábla megfordítása
table-seat = { $seat } helye
table-board = Tábla: { $board }
table-of = { $thing } ({ $seat })
table-in = { $thing }, { $place }
table-several = { $number ->
    [one] { $thing }
   *[other] { $number } × { $thing }
}
table-unseen = rejtett { $piece }
table-pile = { $zone }, { $number } darab
table-not-in-sight = Nem látszik: { $number } / { $all }
table-hidden = Nem látszik
table-empty = Üres:
table-cell = { $place }: { $things }
table-cell-empty = { $place }: üres
table-counted = { $thing } { $number }
table-pointing = { $thing }: { $value }
table-thing-choice = { $thing } — választás: { $choice }
table-thing-choices = { $thing } — { $number } lehetőség
table-yes = igen
table-no = nem
table-column-row = sor
table-column-column = oszlop
table-none = semmi

## Választás
table-actions = Mit tehetsz
table-choose = Válassz: { $what }
table-choose-for = { $what } — { $by }
table-choose-action = Válaszd ki, mit teszel
table-set-exact = { $what }, { $index }/{ $number }
table-set-up-to = { $what }, { $index }/legfeljebb { $number }
table-set-between = { $what }, { $index }/{ $least }–{ $number }
table-set-chosen = Kiválasztva: { $things }
table-wait = Senki sem választ most.
table-tell = A játékvezető azt kérdezi, mi jött ki: { $what }
table-wait-together = Mindenki egyszerre választ: azokra várunk, akik még nem választottak.
table-waiting = Várunk rá: { $seats }
table-over = Vége a játszmának. { $number ->
    [one] Győztes: { $winners }
   *[other] Győztesek: { $winners }
}
table-over-nobody = Vége a játszmának. Nincs győztes.
table-all-actions = Minden lépés
table-so-many-choices = , { $number } lehetőség
table-take-back = Visszavonás
table-take-back-it = Visszavonás: { $thing }
table-reveal = Mutasd, mi választható
table-look = Nézd meg, vagy kérdezd: miért nem?
table-search = Keresés
table-search-found = { $number } találat, az első: { $first }
table-ask-why = { $action } — miért nem?
table-sure = Ezt választod?
table-untaken = Ez a kattintás nem számított: közben más került oda. Válassz újra.
table-plan-dropped = Amit terveztél, az már nem lehetséges.
table-planned = Tervezve: { $things }
table-plan-cancel = Terv elvetése
table-out-of-sight-up = { $number ->
    [one] Feljebb még egy választható dolog van: ugrás oda
   *[other] Feljebb még { $number } választható dolog van: ugrás oda
}
table-out-of-sight-down = { $number ->
    [one] Lejjebb még egy választható dolog van: ugrás oda
   *[other] Lejjebb még { $number } választható dolog van: ugrás oda
}
table-out-of-sight-left = { $number ->
    [one] Balra tovább még egy választható dolog van: ugrás oda
   *[other] Balra tovább még { $number } választható dolog van: ugrás oda
}
table-out-of-sight-right = { $number ->
    [one] Jobbra tovább még egy választható dolog van: ugrás oda
   *[other] Jobbra tovább még { $number } választható dolog van: ugrás oda
}
table-zoom-in = Nagyítás
table-zoom-out = Kicsinyítés
table-less = Kevesebb
table-more = Több
table-number = { $first }
table-numbers = { $first } és { $last } között
table-numbers-in-steps = { $first } és { $last } között, lépésköz: { $step }
table-close = Bezárás

## Miért
table-why-not = Miért nem lehet: { $action }?
table-why-not-this = Ezt miért nem lehet?
table-needed = Feltétel:
table-but = De
table-refused-now = Ez most nem lehetséges.
table-refused-pass = Ezt nem lehet kihagyni.
table-refused-words = Más szavakkal választható.
table-refused-value = Nincs a választhatók között.
table-refused-nothing = Amit itt választani lehetne, azt mind kizárja valami:
table-refused-empty = Itt nincs mit választani.
table-refused-nothing-of = Utána nem volna mit választani ehhez: { $name }.
table-refused-range = { $name } túllépné a határait.
table-refused-pay = { $name }: { $number } kell, de csak { $found } van.
table-no-answer = Nem jött válasz.
table-clause = { $clause } pont: { $heading }

## Pontok
table-score = Pont
table-score-of = { $seat } pontjai: { $total }
table-total = Összesen
table-tie = Döntetlennél: { $line }
table-secret = titkos

## A történet
table-story = Mi történt
table-story-all = Mindet mutasd
table-story-chose = { $seat }: { $words }
table-story-answer = { $words } ({ $what })
table-story-chose-hidden = { $seat } rejtve választ
table-story-hidden = valami rejtett
table-story-turn = { $seat } következik
table-story-moved-both = { $piece }: { $from } → { $to }
table-story-moved-to = { $piece } → { $to }
table-story-moved-from = { $piece } eltűnik innen: { $from }
table-story-unseen = { $number } × rejtett { $thing }
table-story-changed = { $thing }: { $old } → { $now }
table-story-unmarked = már nem: { $thing }
table-story-listed = { $thing }: { $things }
table-story-shown = { $seat } látja: { $pieces }
table-story-shown-hidden = { $seat } megnéz valamit, ami rejtve van
table-story-on-top = { $zone } tetején: { $piece }
table-story-shuffled = megkeverve: { $place }
table-story-more = még { $number }
table-story-ended = Vége a játszmának.
table-story-ended-by = Vége a játszmának: { $end }
table-odds = { $number ->
    [one] Mi jöhetett
   *[other] Mi jöhetett, { $number } húzásnál
}
