# Lângă o masă adevărată.

chance = Zaruri și cărți
chance-companion = din cutia voastră
chance-companion-help = Voi aruncați și trageți la masă și îi spuneți arbitrului ce a ieșit.
companion = De la masa voastră
what-came = Ce a ieșit: { $what }?
cancel-choice = Renunță la alegere
outcome-unseen = Nimeni nu a văzut
told-so-far = Spus până acum: { $outcomes }
take-back-answer = Ia înapoi ultimul răspuns
tell-anew = Spunem din nou
error-needs-outcome = Arbitrul așteaptă ce a ieșit la masa voastră.
error-not-possible = Nu se poate. Spuneți una dintre cele oferite sau luați înapoi ce ați spus greșit.
error-contradicts = După cele spuse până acum, aceasta nu se poate. Dacă acelea erau greșite, luați-le înapoi.
