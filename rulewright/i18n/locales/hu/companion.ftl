# Valódi asztal mellett.

chance = Kockák és lapok
chance-companion = a saját dobozotokból
chance-companion-help = Ti dobtok és húztok az asztalnál, és megmondjátok a játékvezetőnek, mi jött ki.
companion = A ti asztalotokról
what-came = Mi jött ki: { $what }?
cancel-choice = Mégsem ezt választom
outcome-unseen = Senki sem látta
told-so-far = Eddig elmondva: { $outcomes }
take-back-answer = Utolsó válasz visszavonása
tell-anew = Elmondjuk újra
error-needs-outcome = A játékvezető arra vár, ami az asztalotoknál kijött.
error-not-possible = Ez nem lehet. Mondjatok egyet a felkínáltak közül, vagy vegyétek vissza, amit rosszul mondtatok.
error-contradicts = Ami eddig elhangzott, az szerint ez nem lehet. Ha az volt téves, vegyétek vissza.
