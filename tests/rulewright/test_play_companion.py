"""`rulewright play --companion`: a physical table followed in the terminal by what is typed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from dsl.source import Source
from interpreter import companion_log
from interpreter.match import Match
from interpreter.sights import SPECTATOR
from rulewright.library import open_game
from rulewright.main import main
from tests.serve.test_companions import Table


def typed(*words: str, game: str = "pig", more: tuple[str, ...] = ()) -> Result:
    """The command, with what people type."""
    said = "".join(f"{line}\n" for line in words)
    return CliRunner().invoke(main, ["play", game, "--companion", *more], input=said)


def kept(path: Path, game: str = "pig") -> companion_log.Record:
    log = companion_log.read(Source(str(path), path.read_text(encoding="utf-8")))
    return companion_log.resumed(open_game(game, log.seats), log)


def test_choices_and_dice_are_typed_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "t.log"
    result = typed("throw", "4", "1", "nonsense", "6", "hold", "quit", more=("--log", str(file)))
    assert result.exit_code == 0, result.output
    assert "die: 4" in result.output
    assert "`nonsense` is not what can come here" in result.output
    assert f"--companion --resume {file}" in result.output.replace("\n", "")
    record = kept(file)
    assert record.companion.match.decisions()[0].seat == "B"
    assert [outcome.text for turn in record.companion.turns for outcome in turn.outcomes] == ["4", "6"]


def test_several_dice_are_typed_at_once_and_one_is_told_again(tmp_path: Path) -> None:
    file = tmp_path / "t.log"
    more = ("--log", str(file), "--players", "2")
    rolled = "3 food, 1 good, 3 workers"
    result = typed(rolled, "undo", "coins", "quit", game="roll_through_the_ages", more=more)
    assert result.exit_code == 0, result.output
    assert "taken back" in result.output
    told = [item.text for item in kept(file, "roll_through_the_ages").items if hasattr(item, "text")]
    spoken = [open_game("roll_through_the_ages").names.label(name) for name in told]
    assert spoken == ["3 food", "1 good", "coins"]


@pytest.mark.parametrize("written", ["foo", "drop z", "why drop z", "drop a b"])
def test_what_is_not_offered_is_explained(written: str) -> None:
    result = typed(written, "quit", game="connect_four")
    assert result.exit_code == 0, result.output
    assert "cannot be chosen: " in result.output
    assert result.exception is None


def test_a_match_with_hidden_cards_is_followed(tmp_path: Path) -> None:
    """What everybody sees at a table is typed, with a pause in the middle; the referee sees the same."""
    file, table, random = tmp_path / "t.log", Table("roma", 7), Random(1)
    more: tuple[str, ...] = ("--log", str(file))
    lines: list[str] = []
    for number in range(14):
        seat = table.truth.decisions()[0].waiting.seat
        lines.append(table.choose(seat))
        dice = [step.text for step in table.steps if step.stream is not None]
        if random.random() < 2 and dice and "die" in "".join(s.stream or "" for s in table.steps):
            lines.append(" ".join(dice))
        if number % 7 == 6:
            result = typed(*lines, "quit", game="roma", more=more)
            assert result.exit_code == 0, result.output
            more, lines = ("--resume", str(file)), []
    found = kept(file, "roma").companion
    assert found.match.view(SPECTATOR) == table.truth.view(SPECTATOR)
    assert found.match.hash() != table.truth.hash()


def test_what_contradicts_is_refused_and_can_be_asked_about() -> None:
    truth = Match(open_game("roma"), seed=1).start()
    cards = truth.game.rules.components["card"].classes
    single = cards[0]
    result = typed(*[single] * 12, "why forum", "log", "view", "score", "help", "quit", game="roma")
    assert result.exit_code == 0, result.output
    assert "what was told before says that this cannot be" in result.output.replace("\n", " ")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (("--seed", "3"), "C422"),
        (("--seats", "human,random"), "C422"),
        (("--executor", "wasm"), "C422"),
        (("--seats", "9"), "C420"),
        (("--log", "."), "C401"),
        (("--resume", "nowhere.log"), "D001"),
    ],
)
def test_mistakes_have_codes(more: tuple[str, ...], code: str) -> None:
    result = typed("quit", more=more)
    assert result.exit_code == 2
    assert f"error[{code}" in result.output
    assert "Traceback" not in result.output


def test_logs_of_other_kinds_are_refused(tmp_path: Path) -> None:
    told, played = tmp_path / "told.log", tmp_path / "played.log"
    assert typed("throw", "4", "quit", more=("--log", str(told))).exit_code == 0
    again = typed("throw", more=("--log", str(told)))
    assert "error[C418]" in again.output
    runner = CliRunner()
    assert "error[R221]" in runner.invoke(main, ["play", "pig", "--resume", str(told)]).output
    assert "--companion --resume" in runner.invoke(main, ["replay", str(told)]).output
    assert runner.invoke(main, ["play", "pig", "--log", str(played)]).exit_code == 0
    assert "error[R221]" in typed("quit", more=("--resume", str(played))).output
    assert "error[C401]" in typed("quit", more=("--log", str(played))).output
    assert "error[C421]" in typed("quit", game="roma", more=("--resume", str(told))).output
    text = told.read_text(encoding="utf-8")
    told.write_text(text.replace('"4"', '"5"'), encoding="utf-8")
    assert "error[R221]" in typed("quit", more=("--resume", str(told))).output
    told.write_text(text[:-10], encoding="utf-8")
    torn = typed("6", "quit", more=("--resume", str(told)))
    assert "R233" in torn.output
    assert kept(told).companion.turns[-1].outcomes[0].text == "6"
