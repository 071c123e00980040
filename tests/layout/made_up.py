"""Rulesets that are made up for the layout of their boards."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from dsl.folder import Folder
from dsl.load import load
from dsl.rules import Rules

HEAD = "game: demo\nseats: 2\nrules: [demo.rules]\n"
TAIL = "flow:\n  final: {score: highest}\n"
Links = dict[str, list[str]]
Cell = tuple[int, int]


def rules_of(text: str, **files: str) -> Rules:
    """The rules of a game with these declarations; files by name, with `_` for the dot."""
    flow = "" if "\nflow:" in text else TAIL
    texts = {"game.yaml": HEAD + text + flow, "demo.rules": ""}
    texts |= {name.replace("_", "."): content for name, content in files.items()}

    def fetch(path: str) -> bytes:
        if path not in texts:
            raise FileNotFoundError(2, "No such file or directory")
        return texts[path].encode()

    return load(Folder("demo", fetch))[0]


def looked(text: str, look: str, **files: str) -> Rules:
    """The rules of a game with a look."""
    return rules_of(f"look: look.yaml\n{text}", look_yaml=look, **files)


def written(links: Links) -> str:
    return "{" + ", ".join(f"{name}: [{', '.join(near)}]" for name, near in links.items() if near) + "}"


def land_of_hexagons(radius: int = 2, flow: str = "", code: str = "") -> Rules:
    """A map of hexagons with corners and roads as places of their own, as its author would write it."""
    reach = range(-radius, radius + 1)
    cells = sorted(((q, r) for q in reach for r in reach if abs(q + r) <= radius), key=lambda c: c[::-1])
    names = {cell: f"h{i}" for i, cell in enumerate(cells)}
    touching, sides = _corners(names)
    corner = {point: f"c{i}" for i, point in enumerate(touching)}
    road = {side: f"r{i}" for i, side in enumerate(sides)}
    land = {
        names[q, r]: [names[near] for near in ((q + 1, r), (q, r + 1), (q - 1, r + 1)) if near in names]
        for q, r in cells
    }
    ways: Links = {name: [] for name in corner.values()}
    for a, b in sides:
        ways[corner[a]].append(corner[b])
    corners = "".join(
        f"{corner[p]},{','.join((*near, 'none', 'none')[:3])}\n" for p, near in touching.items()
    )
    roads = "".join(f"{road[a, b]},{corner[a]},{corner[b]}\n" for a, b in sides)
    return rules_of(
        f"""boards:
  land: {{graph: [{", ".join(land)}], links: {written(land)}}}
  corner:
    graph: corners.csv
    columns: {{first: land or none, second: land or none, third: land or none}}
    links: {written(ways)}
  road: {{graph: roads.csv, columns: {{one: corner, other: corner}}, links: {{r0: [r1]}}}}
marks:
  robbed: {{at: land}}
pointers:
  town: {{at: corner, to: seat}}
  paved: {{at: road, to: seat}}
{flow}""",
        demo_rules=code,
        corners_csv="corner,first,second,third\n" + corners,
        roads_csv="road,one,other\n" + roads,
    )


Point = tuple[float, float]


def _corners(names: dict[Cell, str]) -> tuple[dict[Point, list[str]], list[tuple[Point, Point]]]:
    """The corners of the cells with the cells that they touch, and the sides as pairs of corners."""
    touching: dict[Point, list[str]] = {}
    sides: dict[tuple[Point, Point], None] = {}
    for (q, r), name in names.items():
        x, y = q + r / 2, r * sqrt(3) / 2
        around = [
            (round(x + sin(i * pi / 3) / sqrt(3), 3), round(y - cos(i * pi / 3) / sqrt(3), 3))
            for i in range(6)
        ]
        for point in around:
            touching.setdefault(point, []).append(name)
        for a, b in zip(around, (*around[1:], around[0]), strict=True):
            sides[min(a, b), max(a, b)] = None
    return touching, list(sides)
