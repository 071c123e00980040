"""Values that tell when they change."""

from __future__ import annotations

from pathlib import Path

from tests.web.in_node import run_in_node

SCRIPT = """
import { batch, computed, effect, signal } from "./rulewright/web/signals.js";

const told = [];
const seen = {};
const name = (text) => (told.length = 0, () => (seen[text] = [...told]));

const a = signal(1);
const b = signal(10);
let times = 0;
const sum = computed(() => (times++, a.value + b.value));

let done = name("at once, and when what was read changes");
let stop = effect(() => told.push(a.value));
a.value = 2;
a.value = 2;
b.value = 11;
done();

done = name("no more after the end");
stop();
a.value = 3;
done();

done = name("once at the end of a batch");
stop = effect(() => told.push(sum.value));
batch(() => {
    a.value = 4;
    batch(() => (b.value = 12));
    told.push("batch");
});
stop();
done();

done = name("computed when it is read, and once");
times = 0;
a.value = 5;
a.value = 6;
told.push(times, sum.value, sum.peek(), times);
done();

done = name("what is not read any more is not heard");
const which = signal(true);
stop = effect(() => told.push(which.value ? a.value : b.value));
which.value = false;
a.value = 7;
b.value = 13;
stop();
done();

done = name("peeking is not reading");
stop = effect(() => told.push(a.peek()));
a.value = 8;
stop();
done();

done = name("an effect that sets a value");
const copy = signal(0);
const stops = [effect(() => (copy.value = a.value)), effect(() => told.push(copy.value))];
a.value = 9;
stops.forEach((one) => one());
done();

done = name("a failure leaves all else as it was");
stop = effect(() => {
    if (a.value === 1) throw new Error("one");
    told.push(a.value);
});
try {
    a.value = 1;
} catch (error) {
    told.push(error.message);
}
a.value = 2;
told.push(sum.value);
stop();
done();

process.stdout.write(JSON.stringify(seen));
"""


def test_values_tell_when_they_change(tmp_path: Path) -> None:
    assert run_in_node(SCRIPT, tmp_path) == {
        "at once, and when what was read changes": [1, 2],
        "no more after the end": [],
        "once at the end of a batch": [14, "batch", 16],
        "computed when it is read, and once": [0, 18, 18, 1],
        "what is not read any more is not heard": [6, 12, 13],
        "peeking is not reading": [7],
        "an effect that sets a value": [8, 9],
        "a failure leaves all else as it was": [8 + 1, "one", 2, 15],
    }
