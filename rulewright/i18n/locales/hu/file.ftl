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
