# Amit csak az egyetlen fájl mond.

human = ember
take-players = Kik játszanak?
begin = Kezdés
log-opened = A napló megnyílt.
replace-match = Elhagyod ezt a játszmát?
variant = Változat
error-no-companion = Ez egy valódi asztal naplója; a `rulewright export --companion` fájlja tudja követni.
