"""Self-play with search: a network learns what the search of the bots thinks, and then plays without it.

    python -m examples.self_play tic_tac_toe --into tic_tac_toe.onnx
    rulewright arena --game tic_tac_toe --bots policy:tic_tac_toe.onnx,random -n 200

Each round plays matches by a search, and trains the network on how often the search has tried each choice. A
search ends when the result is proven, before these counts say much; then the network learns the best choice.
Source: Anthony, Tian, Barber, "Thinking Fast and Slow with Deep Learning and Tree Search" (NeurIPS 2017).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import numpy as np

import rulewright
from examples.keeping import Progress, check, until_stopped, write
from examples.policy_gradient import Network, probabilities
from rulewright.learn.features import Features
from rulewright.learn.play import LearnMatch
from rulewright.learn.space import Space


def searched(
    space: Space, seed: int, iterations: int
) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
    """One match by search: what was seen, what was offered, and what the search thinks of each action."""
    rng, play = np.random.default_rng(seed), LearnMatch(space)
    match = rulewright.Match(space.game, seed).start()
    play.reset(seed, match)
    rows, masks, wanted = [], [], []
    while not play.over:
        thoughts = rulewright.search(match, play.seat, iterations, seed)
        tried = np.zeros(space.actions, np.float32)
        for thought in thoughts.choices:
            tried[play.action_of(thought.choice.option)] += thought.visits + 1
        tried /= tried.sum()
        best = np.zeros(space.actions, np.float32)
        best[play.action_of(thoughts.choices[0].choice.option)] = 1
        rows.append(play.observation())
        masks.append(play.mask())
        wanted.append(tried if thoughts.proof is None else best)
        play.step(int(rng.choice(space.actions, p=tried / tried.sum())))
    return rows, masks, wanted


def train(network: Network, x: np.ndarray, masks: np.ndarray, wanted: np.ndarray, epochs: int) -> float:
    """Goes down the gradient of the cross-entropy; what it is at last."""
    loss = 0.0
    for _ in range(epochs):
        hidden, logits, _ = network.forward(x)
        odds = probabilities(logits, masks)
        loss = float(-(wanted * np.log(np.maximum(odds, 1e-9))).sum(1).mean())
        d_logits = (odds - wanted) / np.float32(len(x))
        d_hidden = (d_logits @ network.weights["w2"].T) * (hidden > 0)
        gradients = {"w1": x.T @ d_hidden, "b1": d_hidden.sum(0)}
        gradients |= {"w2": hidden.T @ d_logits, "b2": d_logits.sum(0)}
        network.update({name: g.astype(np.float32) for name, g in gradients.items()}, 0.003)
    return loss


def learn(game: str, rounds: int, matches: int, iterations: int) -> tuple[Space, Features, Network]:
    space = Space.of(rulewright.open_game(game, executor="wasm"))
    features = Features.of(space.catalogue)
    network = Network.fresh(features.size, 64, space.actions, np.random.default_rng(0))
    rows: list[np.ndarray] = []
    masks: list[np.ndarray] = []
    wanted: list[np.ndarray] = []
    began, progress = process_time(), Progress()
    with until_stopped():
        for number in range(rounds):
            for seed in range(number * matches, (number + 1) * matches):
                progress.tell(f"round {number + 1}: match {seed - number * matches + 1} of {matches}")
                for kept, found in zip((rows, masks, wanted), searched(space, seed, iterations), strict=True):
                    kept += found
            x = features.of_rows(np.stack(rows))
            loss = train(network, x, np.stack(masks), np.stack(wanted), 100)
            took = process_time() - began
            print(
                f"round {number + 1}: {len(rows)} choices, cross-entropy {loss:.3f}, {took:.1f} s", flush=True
            )
    return space, features, network


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", help="a bundled game, or the path of a ruleset")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--matches", type=int, default=50, help="in each round")
    parser.add_argument("--iterations", type=int, default=400, help="of the search for each choice")
    parser.add_argument("--into", type=Path, help="write the policy as ONNX")
    given = parser.parse_args()
    check(parser, given.game, None, given.into)
    space, features, network = learn(given.game, given.rounds, given.matches, given.iterations)
    write(given.into, space.catalogue, features, network.weights)


if __name__ == "__main__":
    main()
