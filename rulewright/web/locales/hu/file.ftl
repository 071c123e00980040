# Amit csak az egyetlen fájl mond.

human = ember
take-players = Kik játszanak?
begin = Kezdés
hand-over = { $name } következik
hand-over-about = Add át az eszközt: { $name }. Addig semmi sem látszik, amíg át nem veszi.
hand-over-take = Én vagyok: { $name }
log-opened = A napló megnyílt.
variant = Változat
