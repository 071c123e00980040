"""Hedgerow, as its rulebook tells it."""

from __future__ import annotations

from collections import Counter

from benchmarks.agree.referees.stops import Ask, Draw, End, Play, Together

COPIES = {
    "bramble": 22,
    "hazel": 20,
    "rose": 14,
    "woodbine": 12,
    "foxglove": 10,
    "bee": 12,
    "ivy": 14,
    "owl": 12,
    "gate": 10,
}
FLOWERS = {"rose": 1, "woodbine": 2, "foxglove": 3}
BRAMBLES = [0, 1, 3, 6, 10, 15, 21]
OWLS = [-4, 0, 3, 7, 12]


def play(seats: list[str]) -> Play:
    deck, compost = Counter(COPIES), Counter[str]()
    hedges = {seat: Counter[str]() for seat in seats}
    points = dict.fromkeys(seats, 0)
    for season in (1, 2, 3):
        hands: dict[str, Counter[str]] = {}
        for seat in seats:
            hands[seat] = Counter()
            for _ in range(6):
                if not deck.total():
                    deck, compost = compost, Counter()
                card = yield Draw(list(deck.elements()))
                deck[card] -= 1
                hands[seat][card] += 1
        weather = yield Draw(["sun", "rain", "frost", "wind"])
        step = 2 if weather == "wind" else -1 if season == 2 else 1
        while any(hand.total() for hand in hands.values()):
            picked: dict[str, list[str]] = {seat: [] for seat in seats}
            yield Together({seat: pick(seat, hands[seat], hedges[seat], picked[seat]) for seat in seats})
            for seat in seats:
                hedges[seat].update(picked[seat])
            hands = {seats[(i + step) % len(seats)]: hands[seat] for i, seat in enumerate(seats)}
        for seat in seats:
            points[seat] += crop(hedges, seat, weather)
        for hedge in hedges.values():
            for plant in [plant for plant in hedge if plant != "owl"]:
                compost[plant] += hedge.pop(plant)
    totals = {seat: points[seat] + OWLS[min(hedges[seat]["owl"], 4)] for seat in seats}
    return End([seat for seat in seats if totals[seat] == max(totals.values())], totals)


def pick(seat: str, hand: Counter[str], hedge: Counter[str], picked: list[str]) -> Play:
    card = yield Ask(seat, +hand)
    hand[card] -= 1
    picked.append(card)
    if hedge["gate"] and hand.total():
        others = [plant for plant in +hand if plant != "gate"]
        if (yield Ask(seat, ["open_gate", "pass"] if others else ["pass"])) == "open_gate":
            hedge["gate"] -= 1
            hand["gate"] += 1
            card = yield Ask(seat, others)
            hand[card] -= 1
            picked.append(card)
    return None


def crop(hedges: dict[str, Counter[str]], seat: str, weather: str) -> int:
    hedge = hedges[seat]
    brambles = hedge["bramble"]
    if weather == "rain" and brambles:
        brambles += 1
    flowers = sorted((FLOWERS[plant] for plant in hedge.elements() if plant in FLOWERS), reverse=True)
    visits = hedge["bee"] * (2 if weather == "sun" else 1)
    total = BRAMBLES[min(brambles, 6)] + hedge["hazel"] // 2 * 4 + 2 * sum(flowers[:visits])
    if weather != "frost":
        total += sum(flowers[visits:])
    amounts = sorted({other["ivy"] for other in hedges.values() if other["ivy"]}, reverse=True)
    if hedge["ivy"] and hedge["ivy"] in amounts[:2]:
        total += (5, 2)[amounts.index(hedge["ivy"])]
    return total
