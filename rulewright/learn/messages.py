"""R241 and R242, and R260 to R266: errors of environments for learning libraries, and of models."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class ForeignModel(Diagnostic):
    """A model or catalogue does not belong to this game as it is now.

    A model knows actions and observations by their numbers. What they mean is written in the catalogue, whose
    digest the model carries. If an entry was changed, and not only added behind the others, the numbers mean
    something else, and the model would choose nonsense. Train it again, or open the environment with the
    catalogue that the model was trained with: it is extended by what is new.
    """

    code = "R260"
    slug = "foreign-model"
    title = "{name} does not fit {game}: {why}"
    advice = "{hint}"
    name: str
    game: str
    why: str
    hint: str = "open the environment with the catalogue it was trained with, or train it again"


@dataclass(frozen=True)
class NotACatalogue(Diagnostic):
    """A text is not the catalogue of a game's spaces.

    `SpaceCatalogue.text()` writes one, and `SpaceCatalogue.read(text)` reads it. The digest in it must be
    that of its entries, so that nobody changes one by hand without noticing.
    """

    code = "R261"
    slug = "not-a-catalogue"
    title = "{name} is not a catalogue: {why}"
    advice = "write one with `SpaceCatalogue.text()`"
    name: str
    why: str


@dataclass(frozen=True)
class ActionNotOffered(Diagnostic):
    """An action is masked out, or is not an action at all.

    Nothing has changed: the environment still waits for the same decision. Choose one whose entry in the
    action mask is 1; with `illegal="lose"` such an action loses the match instead.
    """

    code = "R262"
    slug = "action-not-offered"
    title = "action {action} is not offered to {agent}"
    advice = "offered: {offered}"
    action: str
    agent: str
    offered: str


@dataclass(frozen=True)
class EnvironmentNotReady(Diagnostic):
    """An environment is used in a way that is not possible now: before `reset`, after the end, or closed."""

    code = "R263"
    slug = "environment-not-ready"
    title = "{what}"
    advice = "{hint}"
    what: str
    hint: str


@dataclass(frozen=True)
class LibraryNotInstalled(Diagnostic):
    """A learning library is needed that is not installed.

    Each is an extra: `pettingzoo`, `gymnasium`, `openspiel`, `dataset`, `policy`.
    """

    code = "R264"
    slug = "library-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install it with `pip install "rulewright[{extra}]"`'
    library: str
    extra: str


@dataclass(frozen=True)
class BadEnvironmentSetting(Diagnostic):
    """A setting of an environment is not possible.

    A seat that does not exist, a number of matches below one, an unknown way to show masks or to end a match:
    what is wrong is named. The environment is not made.
    """

    code = "R265"
    slug = "bad-environment-setting"
    title = "`{name}` cannot be {value}"
    advice = "{hint}"
    name: str
    value: str
    hint: str


@dataclass(frozen=True)
class NotAModel(Diagnostic):
    """A file is not a policy that can play.

    A policy is an ONNX file with one input `observation` [n, columns], one output `logits` [n, actions], and
    the catalogue of its game in the metadata, as `rulewright.learn.onnx_files.metadata_of` gives it.
    """

    code = "R266"
    slug = "not-a-model"
    title = "`{path}` is not a policy: {why}"
    advice = "write one with `rulewright.learn.onnx_files.save_policy`, or add its metadata"
    path: str
    why: str


@dataclass(frozen=True)
class NotForAPage(Diagnostic):
    """A trained policy cannot be put into the one file of a game.

    The page computes networks by itself, without a library: layers (`Gemm`, `MatMul`, `Add`), activations
    (`Relu`, `Tanh`, `Sigmoid`, `Elu`, `Softmax` and the like), what prepares their input (`Gather`, `Equal`,
    `Where`, `Concat`), and `LayerNormalization`, all over tables of 32-bit floats with a row for each
    observation. The weights have at most 8 MiB. At the export the network is computed in both ways; if the
    two differ it is refused, too. Such a policy still plays at the terminal, in the arena and in experiments.
    """

    code = "R241"
    slug = "not-for-a-page"
    title = "`{path}` cannot be put into a page: {why}"
    advice = "export a network of plain layers, as `rulewright.learn.onnx_files.save_policy` writes"
    path: str
    why: str


@dataclass(frozen=True)
class BadWeights(Diagnostic):
    """Weights are not those of a network that plays this game, so nothing was written.

    A layer is `w` [inputs, outputs] and `b` [outputs]: `w1` has an input for each feature, each other layer
    one for each output of the layer before it, and the last one an output for each action. Numbers that are
    not finite come from a training that has diverged: a smaller learning rate, or a bound for the gradient,
    keeps it from that.
    """

    code = "R242"
    slug = "bad-weights"
    title = "`{name}` cannot be written as a policy: {why}"
    advice = "give `w1` [features, hidden], `b1` [hidden], ... and the last with an output for each action"
    name: str
    why: str
