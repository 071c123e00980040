# Ce spune numai un joc într-un singur fișier.

human = un om
take-players = Cine joacă?
begin = Începe
log-opened = Jurnalul este deschis.
replace-match = Părăsești partida?
variant = Variantă
error-no-companion = Acesta este jurnalul unei mese adevărate; îl urmează un fișier făcut cu `rulewright export --companion`.
error-other-game = Acesta este jurnalul altui joc.
error-other-rules = Acest jurnal a fost scris după alte reguli ale jocului.
error-other-table = Acest jurnal este pentru alt număr de jucători sau pentru alte opțiuni decât are acest fișier.
log-torn = Jurnalul este deschis până la linia { $line }; sfârșitul lui e deteriorat și a fost lăsat deoparte.
log-line = Prima diferență este în linia { $line }.
error-other-version = Acest jurnal este al altei versiuni a programului.
error-notation = Aceasta este o notație, pe care o redă `rulewright replay FILE`; pagina aceasta deschide jurnale.
