"""An option that holds a set, in all the places where options are set or shown."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dsl.diagnostics import Report
from dsl.load import ChosenPreset, load
from dsl.messages import BadOption
from dsl.option_sets import sampled_sets, words_of_set
from dsl.source import NOWHERE, Source
from interpreter import ir, log
from interpreter.compile.program import compile_rules, configure
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import folder, open_game, read_rules
from rulewright.presentation.description import describe
from rulewright.serve.games.catalogue import ServedGame, page
from validators.check import CheckContext, Setting
from validators.checks import option_not_compiled
from validators.diff.compare import compare
from validators.diff.log_replay.verdicts import CompatChecker
from validators.flow.graph import Flow
from validators.mutate.running import _settings

KINGDOMS = Path(__file__).parents[1] / "generality" / "kingdoms"
CHOSEN = "vault,mill,tower,guild"
IN_ORDER = "guild,mill,tower,vault"


@pytest.fixture
def kingdoms(tmp_path: Path) -> Path:
    """A copy of the game, to be changed."""
    return Path(shutil.copytree(KINGDOMS, tmp_path / "kingdoms"))


def changed(path: Path, old: str, new: str, file: str = "game.yaml") -> None:
    text = (path / file).read_text()
    assert old in text
    (path / file).write_text(text.replace(old, new))


# ---- the machine


def test_what_a_set_decides_is_not_asked_in_play() -> None:
    """Membership is decided when the game is compiled."""
    plain = open_game(str(KINGDOMS), 2).machine
    feast = open_game(str(KINGDOMS), 2, {"twists": "feast,harvest"}).machine
    assert plain.scores[1].value == ir.Const(0)
    assert isinstance(feast.scores[1].value, ir.Fold)
    assert reached(plain) < reached(feast)


def reached(machine: ir.Machine) -> int:
    """How many nodes play can reach."""
    return len(Flow(machine).reached)


def test_the_order_of_words_makes_no_difference() -> None:
    one = open_game(str(KINGDOMS), 2, {"kingdom": CHOSEN}).machine
    other = open_game(str(KINGDOMS), 2, {"kingdom": " guild, mill ,tower,vault"}).machine
    assert one == other


def test_the_first_values_are_the_default_by_the_number_of_seats() -> None:
    rules = read_rules(str(KINGDOMS))[0]
    kingdom = rules.options["kingdom"]
    sizes = {n: len(kingdom.members(configure(rules, n, {})[1]["kingdom"])) for n in (2, 3, 4)}
    assert sizes == {2: 4, 3: 5, 4: 6}
    assert kingdom.text(kingdom.sets[2].default) == "cellar,fair,forge,garden"


def test_a_set_may_depend_on_values_that_another_option_makes(tmp_path: Path) -> None:
    """A board by an option: its places are those of the configuration."""
    made = tmp_path / "holes"
    made.mkdir()
    (made / "game.yaml").write_text(
        "game: holes\nseats: 1\nrules: [holes.rules]\n"
        "options: {side: {range: 2..4, default: 4}, holes: {values: cell, size: 0..2}}\n"
        "boards: {cell: {grid: [side, side]}}\ncounters: {number: {range: 0..20}}\n"
        "flow: {turn: {do: [run], then: final}, final: {score: highest}}\n"
    )
    (made / "holes.rules").write_text("procedure run\n    number = count(cell where cell not in holes)\n")
    rules = read_rules(str(made))[0]
    for side, holes, number in ((4, "d4,a1", 14), (2, "b2", 3)):
        given = {"side": str(side), "holes": holes}
        game = Game(rules, compile_rules(rules, None, given))
        match = Match(game, 0).start()
        assert match.view(-2).counters == {"number": number}
        assert describe(game)["options"]["holes"] == ("a1,d4" if side == 4 else "b2")
    with pytest.raises(Exception, match="`d4` is no value of option `holes`"):
        configure(rules, None, {"side": "2", "holes": "d4"})


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        ("mill,tower", "D139", "option `kingdom` has 2 values instead of 4"),
        ("mill,tower,mill,vault", "D140", "`mill` is in option `kingdom` twice"),
        ("mill,tower,vault,penny", "D061", "`penny` is no value of option `kingdom`"),
        ("mill,tower,vault,", "D061", "`(empty)` is no value of option `kingdom`"),
        ("none", "D139", "option `kingdom` has no value instead of 4"),
    ],
)
def test_mistakes_point_to_the_argument(run, text: str, code: str, why: str) -> None:
    result = run("simulate", str(KINGDOMS), "-n", "1", "--option", f"kingdom={text}")
    assert result.exit_code != 0
    assert f"error[{code}]: {why}" in result.stderr
    assert "command line" in result.stderr


# ---- commands


def test_it_is_listed_with_its_bounds(run) -> None:
    shown = run("list", str(KINGDOMS)).output
    assert "kingdom: 4 to 6, by the number of seats, of cellar, fair," in shown
    assert "twists: 0 to 3 of tithe, feast, harvest, default none" in shown
    (found,) = json.loads(run("list", str(KINGDOMS), "--json").output)
    twists = found["options"][1]
    assert twists["sets"]["3"] == {"size": [0, 3], "values": twists["values"], "default": "none"}


def test_a_log_has_it_and_is_replayed(run, tmp_path: Path) -> None:
    words = ("--option", f"kingdom={CHOSEN}", "--option", "twists=none")
    assert run("simulate", str(KINGDOMS), "-n", "1", "--log", "match.log", *words).exit_code == 0
    head = json.loads((tmp_path / "match.log").read_text().splitlines()[0])
    assert head["options"] == {"kingdom": CHOSEN, "twists": "none"}
    assert run("replay", "match.log", "--game", str(KINGDOMS)).exit_code == 0


def test_scenarios_and_positions_have_lists(run, kingdoms: Path, tmp_path: Path) -> None:
    (kingdoms / "scenarios").mkdir()
    (kingdoms / "scenarios" / "sets.yaml").write_text(
        "- scenario: a list\n"
        "  given: {seats: 2, options: {kingdom: [vault, mill, tower, guild], twists: []}, at: turn}\n"
        "  then: {tower in kingdom: true, garden in kingdom: false, twists is empty: true}\n"
        "- scenario: a text\n"
        "  given: {seats: 2, options: {twists: 'feast, tithe'}, at: turn}\n"
        "  then: {tithe in twists: true, harvest in twists: false}\n"
    )
    assert run("test", "kingdoms").exit_code == 0
    (tmp_path / "position.yaml").write_text(
        "options: {kingdom: [vault, mill, tower, guild]}\nprepared: true\n"
    )
    result = run("simulate", "kingdoms", "-n", "1", "--position", "position.yaml", "--log", "match.log")
    assert result.exit_code == 0
    assert '"kingdom": "vault,mill,tower,guild"' in (tmp_path / "match.log").read_text()


def test_the_words_of_scenarios_show_it(run) -> None:
    shown = run("words", str(KINGDOMS)).output
    assert "options: {kingdom: [cellar, fair, forge, garden, guild, library]}" in shown
    assert "twists: 0 to 3 of tithe, feast, harvest" in shown


def test_a_preset_sets_it(kingdoms: Path) -> None:
    with (kingdoms / "game.yaml").open("a") as file:
        kingdom, twists = "{size: 2, default: [mill, vault]}", "{default: [feast]}"
        file.write(f"small: {{tiny: {{options: {{kingdom: {kingdom}, twists: {twists}}}}}}}\n")
    rules = load(folder(kingdoms), ChosenPreset("tiny"))[0]
    machine = compile_rules(rules)
    assert rules.options["kingdom"].text(machine.options["kingdom"]) == "mill,vault"
    assert rules.options["twists"].text(machine.options["twists"]) == "feast"


def test_a_short_preset_and_an_overlay_set_it(kingdoms: Path, tmp_path: Path) -> None:
    changed(kingdoms, "size: 0..3, default: []", "size: 0..3")
    with (kingdoms / "game.yaml").open("a") as file:
        file.write("small: {tiny: {options: {twists: [feast, tithe]}}}\n")
    assert load(folder(kingdoms), ChosenPreset("tiny"))[0].options["twists"].default == 0b011
    house = tmp_path / "house"
    house.mkdir()
    (house / "game.yaml").write_text(
        "game: house\noverlay: kingdoms\noptions: {twists: {size: 1, default: [harvest]}}\n"
    )
    assert read_rules(str(house))[0].options["twists"].default == 0b100


def test_the_rulebook_says_what_is_in_it(run) -> None:
    shown = run("rules", str(KINGDOMS), "--seats", "2", "--option", f"kingdom={CHOSEN}").output
    assert "Kingdom | guild, mill, tower and vault | 4, of cellar, fair," in shown
    assert "For each royal that is not in the kingdom, put all cards" in shown
    everybody = run("rules", str(KINGDOMS)).output
    assert "with 2 players: cellar, fair, forge and garden; with 3 players: cellar," in everybody
    assert "4 with 2 players, 5 with 3 players and 6 with 4 players, of cellar," in everybody


def test_what_it_decides_is_said_as_decided(run) -> None:
    twisted = run("rules", str(KINGDOMS), "--seats", "2", "--option", "twists=tithe").output
    plain = run("rules", str(KINGDOMS), "--seats", "2").output
    assert "Give" in twisted
    assert "#do-give" not in plain


# ---- checks and experiments


def test_every_value_is_tried_in_and_out() -> None:
    rules = read_rules(str(KINGDOMS))[0]
    for option in rules.options.values():
        for seats, sets in option.sets.items():
            tried = list(sampled_sets(option, seats))
            assert len(set(tried)) == len(tried) <= 40
            assert {one.bit_count() for one in tried} >= {sets.least, sets.most}
            for i in range(len(option.values)):
                assert {one >> i & 1 for one in tried} == {0, 1}


def test_the_game_is_compiled_with_each_set_that_is_tried() -> None:
    subject = CheckContext(read_rules(str(KINGDOMS))[0])
    assert list(option_not_compiled.find(subject)) == []
    tried = {setting for _, setting in subject._compiled}
    assert tried == set(subject.all_settings)
    assert ("twists", "tithe,feast,harvest") in tried
    assert ("twists", "none") not in tried, "the default"


def test_a_set_with_which_the_game_does_not_compile_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound on tables that some kingdoms exceed, as they loop over more values."""
    monkeypatch.setattr(CheckContext, "compiled", refusing_vaults)
    found = list(option_not_compiled.find(CheckContext(read_rules(str(KINGDOMS))[0])))
    assert found
    assert {one.about for one in found} == {"kingdom"}
    assert all("vault" in one.value for one in found)
    assert "the game does not compile with `kingdom` as `" in found[0].message


def refusing_vaults(subject: CheckContext, seats: int, setting: Setting | None = None) -> ir.Machine | Report:
    """The machine, or a mistake if there is a vault in the kingdom."""
    if setting is not None and setting[0] == "kingdom" and "vault" in str(setting[1]).split(","):
        return Report([BadOption(subject.rules.span, "no vaults")])
    return compile_rules(subject.rules, seats, dict([setting]) if setting is not None else {})


def test_checks_find_nothing(run) -> None:
    result = run("check", str(KINGDOMS), "--fast")
    assert result.exit_code == 0, result.output


def test_mutants_are_compared_with_sets_that_may_be() -> None:
    rules = read_rules(str(KINGDOMS))[0]
    tried = [(seats, dict(options)) for seats, options in _settings(rules)]
    assert any(options.get("kingdom") for _, options in tried)
    for seats, options in tried:
        configure(rules, seats, options)


def test_an_environment_takes_it() -> None:
    gymnasium = pytest.importorskip("rulewright.learn.gymnasium")
    env = gymnasium.env(str(KINGDOMS), 2, options={"kingdom": CHOSEN})
    env.reset(seed=1)
    assert describe(env.game)["options"]["kingdom"] == IN_ORDER


# ---- versions


def test_a_renamed_value_is_the_same_value(kingdoms: Path, tmp_path: Path) -> None:
    """A log of a version in which a value had another name is played by both."""
    old = read_rules(str(KINGDOMS))[0]
    for file in ("game.yaml", "cards.csv"):
        changed(kingdoms, "mill", "windmill", file)
    new = read_rules(str(kingdoms))[0]
    comparison = compare(old, new)
    match = Match(Game(old, compile_rules(old, 2, {"kingdom": CHOSEN})), 3).start()
    while not match.over:
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[-1])
    found = log.read(Source("m", log.write(match, {"kingdom": CHOSEN}, [])))
    assert CompatChecker(comparison).judge(found).kind == "unaffected"


def test_another_default_and_size_are_changes(run, kingdoms: Path) -> None:
    changed(kingdoms, "size: 0..3, default: []", "size: 1..3, default: [feast]")
    shown = run("diff", str(KINGDOMS), "kingdoms").output
    assert "default" in shown
    assert "none -> feast" in shown
    assert "size" in shown


# ---- pages


def test_the_page_of_a_server_has_bounds_by_seats() -> None:
    rules = read_rules(str(KINGDOMS))[0]
    kingdom, twists = page(ServedGame("kingdoms", str(KINGDOMS), rules, False), True)["options"]
    assert kingdom["sets"]["2"]["size"] == [4, 4]
    assert kingdom["sets"]["4"]["default"] == "cellar,fair,forge,garden,guild,library"
    assert twists["default"] == "none"
    assert twists["range"] is None


def test_the_description_has_texts_alone() -> None:
    found = describe(open_game(str(KINGDOMS), 2, {"kingdom": CHOSEN}))
    assert found["options"] == {"kingdom": IN_ORDER, "twists": "none"}
    assert found["rulings"][0]["default"] == "cellar,fair,forge,garden,guild,library"


def test_a_text_is_read_as_words() -> None:
    assert [word for word, _ in words_of_set("wool, salt", NOWHERE)] == ["wool", "salt"]
    assert words_of_set("none", NOWHERE) == ()
