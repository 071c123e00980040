# Amit csak az egyetlen fájl mond.

human = ember
take-players = Kik játszanak?
begin = Kezdés
hand-over = { $name } következik
hand-over-about = Add át az eszközt: { $name }. Addig semmi sem látszik, amíg át nem veszi.
hand-over-take = Én vagyok: { $name }
log-opened = A napló megnyílt.
replace-match = Elhagyod ezt a játszmát?
variant = Változat
error-no-companion = Ez egy valódi asztal naplója; a `rulewright export --companion` fájlja tudja követni.
