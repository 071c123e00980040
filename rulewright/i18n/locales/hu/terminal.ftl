# What the terminal says beside what the table says.

## Turns
terminal-only-choice = (nincs más lehetőség)
terminal-stopped = { $seat } gondolkodását megszakították, ezért a legjobb addig talált lehetőséget választotta.
terminal-your-turn = { $seat }, te következel.
terminal-alone = Ha már csak { $seat } látja a képernyőt, nyomj Entert.
terminal-go-on = a folytatáshoz nyomj Entert
terminal-kind-human = játékos
terminal-kind-random = találomra
terminal-kind-easy = könnyű
terminal-kind-medium = közepes
terminal-kind-hard = nehéz
terminal-kind-absent = távol
terminal-asked = { $seat }: { $what }
terminal-asked-doing = { $seat }: { $what } ({ $doing })
terminal-chooses = { $seat } választ: { $what } ({ $doing })
terminal-of-set = { $what }, { $number } közül a(z) { $index }., a lista sorrendjében
terminal-of-set-between = { $what }, { $least }–{ $number } közül a(z) { $index }., a lista sorrendjében
terminal-more-to-choose = { $what }, még { $number }
terminal-type-the-number = írd be a számot
terminal-top-on = { $piece }, alatta { $number }
terminal-more-kinds = és még { $number } fajta

## Answers
terminal-unknown-choice = ismeretlen választás: { $typed }; ezek közül választhatsz: { $keys }
terminal-which-of-these = melyik ezek közül: { $choices }
terminal-unknown-command = ismeretlen parancs vagy választás: `{ $typed }`; a `help` felsorolja a parancsokat
terminal-unknown-word = ismeretlen szó: `{ $typed }`
terminal-why-what = mit miért? `why …`, a választásoknál látható szavakkal
terminal-is-offered = választható: { $choices }
terminal-may-be-possible = lehet, hogy lehetséges
terminal-cannot-be-chosen = `{ $typed }` nem választható: { $why }
terminal-range = { $first } és { $last } között
terminal-range-in-steps = { $first } és { $last } között, { $step } lépésenként
terminal-or = { $ranges }, vagy { $range }

## Taking back
terminal-undo-how-many = mennyit? az `undo` egy választást von vissza, az `undo 3` hármat
terminal-undone-nothing = nem sikerült visszavonni: { $why }
terminal-undone-own = { $number ->
    [one] az utolsó választásod visszavonva
   *[other] az utolsó { $number } választásod visszavonva
}
terminal-undone-all = { $own }, összesen { $number }
terminal-wants-back = { $number ->
    [one] { $seat } visszavonná az utolsó választást, de { $why }.
   *[other] { $seat } visszavonná az utolsó { $number } választást, de { $why }.
}
terminal-agree = { $seat }, beleegyezel? { $yes } vagy { $no }:
terminal-does-not-agree = { $why }; { $seat } nem egyezik bele
terminal-cannot-agree = { $why }; { $seat } ({ $kind }) nem tud beleegyezni
terminal-undo-nothing = még nem választott senki
terminal-undo-fewer = nem volt ennyi választás
terminal-undo-still = mások is most választanak, és az ő választásuk még nem ismert
terminal-undo-at-once = már mindenki látta, amit egyszerre választottatok
terminal-undo-chance = azóta már látszott, mit hozott a véletlen
terminal-undo-shown = azóta kiderült valami
terminal-undo-may-be-shown = azóta valaki láthatott valamit
terminal-undo-uncovered = azóta valaki látott valami újat
terminal-undo-chosen-since = { $seat } azóta választott
terminal-undo-made-the-last = az utolsó választás { $seat } választása volt
terminal-undo-fewer-of-seat = { $seat } még nem választott ennyiszer
terminal-taken-back = visszavonva

## Commands
terminal-help-choose = választás számmal, vagy a választásnál látható szavakkal
terminal-help-explain = egy választás vagy bármi az asztalon; a `?` magában a döntést magyarázza el
terminal-help-why = miért nem választható valami
terminal-help-undo = az utolsó választásod vagy N választásod visszavonása; ha azóta valaki megtudott vagy választott valamit, a többieket is megkérdezzük
terminal-help-hint = mit választana egy N lépéses keresés abból, amit tudsz; `easy` és `policy:…` is lehet
terminal-help-view = az asztal újra, kihagyás nélkül
terminal-help-log = a legutóbbi események; `log all`: mind
terminal-help-score = a jelenlegi pontszám, a hozzá tartozó szabályokkal
terminal-help-save = a játszma mentése egy fájlba; folytatása: `--resume`
terminal-help-quit = felállás az asztaltól
terminal-help-help = ez a lista
terminal-more-before = előtte még { $number }; a `log all` mutatja őket
terminal-log-before = … a `log` mutatja, mi volt előtte
terminal-save-where = hová? `save` és egy fájl neve
terminal-saved = elmentve; folytatása: `--resume { $file }`
terminal-save-first = elmented előbb a játszmát? fájlnév, vagy Enter, ha nem:
terminal-other-log = Enter: új próba; egy fájlnév: mentés oda; `none`: folytatás mentés nélkül; `quit`: kilépés:

## Hints
terminal-hint-stopped = a keresés megszakadt
terminal-hint-none = ezekről a választásokról nem mondható semmi
terminal-hint-for-instance = például { $moves }
terminal-hint-chosen-with = { $choice }  választaná: { $share }%
terminal-hint-policy = a(z) { $name } stratégia szerint, abból, amit tudsz{ $rest }
terminal-hint-value = { $choice }  érték: { $value }
terminal-hint-tried = { $choice }  érték: { $value }, próbálva: { $share }%
terminal-hint-proved = { $choice }  { $proof }, próbálva: { $share }%
terminal-hint-solved = megoldva: { $value }%, mind a(z) { $positions } lehetséges folytatás alapján{ $rest }
terminal-hint-noise = az első { $number } választás értéke csak a véletlen miatt tér el, kb. { $error }: kérdezz több lépéssel
terminal-hint-after = { $number ->
    [one] { $iterations } lépés egyetlen állásból{ $rest }
   *[other] { $iterations } lépés { $number } állásból, amelyeket nem tudsz megkülönböztetni{ $rest }
}
terminal-hint-rest = { $number ->
    [one] , és még egy választás
   *[other] , és még { $number } választás
}

## The end
terminal-end-won = a játék megnyerve
terminal-end-lost = a játék elveszett
terminal-end-over = a játéknak vége
terminal-nobody-wins = senki sem nyert
terminal-wins = { $seat } nyert
terminal-everybody-wins = mindenki nyert
terminal-win = { $seats } nyert
terminal-share = { $seats } osztozik a győzelmen
terminal-undecided = hogy ki nyert, az attól függ, amit senki sem mutatott meg
terminal-end-named = { $end }: { $who }
terminal-player = { $seat } ({ $kind })
terminal-by = szabály
terminal-last-not-kept = az utolsó választás nincs elmentve
terminal-not-kept = ez a játszma nincs elmentve
terminal-not-kept-how = ez a játszma nincs elmentve; a `save …` vagy a `--log …` ment
terminal-kept-in = a játszma itt van: { $file }
terminal-kept-resume = a játszma elmentve; folytatása: `{ $command }`
terminal-kept-next = a következő játszma, azzal, ami átkerül: `{ $command }`
terminal-seed = a véletlen magja { $seed } volt
terminal-seed-opening = a véletlen magja { $seed } volt; a { $nonce } kiegészítéssel ez nyitja ki a lezárt magot: { $commitment }
terminal-commitment = a lezárt véletlenmag: { $commitment }

## At a physical table
terminal-or-all = { $what } (a `?` felsorolja)?
terminal-or-listed = { $what } ({ $answers })?
terminal-cannot-come = `{ $typed }` itt nem jöhet; a `?` felsorolja, mi jöhet
terminal-contradicts = a korábban mondottak szerint ez nem lehet; az `undo` visszavonja, ami tévedés volt
terminal-nothing-told = még semmi sem hangzott el
terminal-told-choose = mit választott egy játékos: számmal, vagy a választásnál látható szavakkal
terminal-told-outcome = mit mutat egy kocka, vagy melyik lap jött; több egyszerre vesszőkkel
terminal-told-unseen = az asztalnál senki sem látta, mi jött
terminal-not-kept-told = ez a játszma nincs elmentve; a `--log …` menti
terminal-told-undo = a legutóbb mondott válasz vagy választás visszavonása
terminal-told-view = az asztal újra
terminal-told-score = a pontszám, amennyire mindenki ismeri
terminal-proved-won = { $number ->
    [one] biztosan nyert, 1 választással
   *[other] biztosan nyert, { $number } választással
}
terminal-proved-lost = { $number ->
    [one] biztosan vesztett, 1 választással
   *[other] biztosan vesztett, { $number } választással
}
terminal-proved-drawn = { $number ->
    [one] biztosan döntetlen, 1 választással
   *[other] biztosan döntetlen, { $number } választással
}

## A match that is played again
terminal-replay-seats = { $number ->
    [one] 1 hely
   *[other] { $number } hely
}
terminal-replay-seed = mag: { $seed }
terminal-replay-player = { $seat }: { $kind }
terminal-next-match = Jöjjön a következő játszma azzal, ami megmarad? ({ $yes }, vagy Enter a kilépéshez)
terminal-replay-carried = azzal indult, ami megmaradt:
terminal-replay-begun = állásból indult
terminal-replay-begun-at = állásból indult, itt: { $phase }, { $seat } köre
terminal-replay-position = az állás a(z) { $number }. lépés után:
terminal-replay-phase = szakasz: { $phase }, { $seat } köre
terminal-replay-unknown = ismeretlen
terminal-replay-unseen = { $number } rejtett
terminal-replay-chosen = eddig választva: { $what }
terminal-replay-not-over = a játszmának még nincs vége
terminal-replay-has-to-choose = { $seat } választ
terminal-replay-chooses-of = { $seat } választ: { $choices }
terminal-replay-torn = a napló egy sor közepén megszakad; eddig játszható vissza
terminal-replay-fits = a { $seed } mag a { $nonce } kiegészítéssel illik hozzá
terminal-replay-does-not-fit = a { $seed } mag a { $nonce } kiegészítéssel nem illik hozzá
terminal-replay-won-by = nyert: { $seats }
terminal-replay-nobody = senki sem nyert
terminal-replay-resigned = egy játékos feladta
terminal-replay-resigned-seat = { $seat } feladta
terminal-replay-time = lejárt az idő
terminal-replay-time-seat = { $seat } ideje lejárt
terminal-replay-agreed = közös megegyezéssel, eredmény nélkül ért véget
terminal-replay-closed = az asztalt bezárták
