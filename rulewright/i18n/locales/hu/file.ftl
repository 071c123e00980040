# Amit csak az egyetlen fájl mond.

human = ember
take-players = Kik játszanak?
begin = Kezdés
log-opened = A napló megnyílt.
replace-match = Elhagyod ezt a játszmát?
variant = Változat
error-no-companion = Ez egy valódi asztal naplója; a `rulewright export --companion` fájlja tudja követni.
error-other-game = Ez egy másik játék naplója.
error-other-rules = Ez a napló a játék más szabályai szerint készült.
error-other-table = Ez a napló más számú játékossal vagy más beállításokkal készült, mint ami ebben a fájlban van.
log-torn = A napló megnyílt a(z) { $line }. sorig; a vége sérült, ezért kimaradt.
log-line = Az első eltérés a(z) { $line }. sorban van.
error-other-version = Ez a napló a program más változatából való.
error-notation = Ez lejegyzés, amelyet a `rulewright replay FILE` játszik le; ez az oldal naplókat nyit meg.
