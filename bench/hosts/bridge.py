"""What the bridge promises, held against processes: see README.md.

usage: bridge.py WAYMARK FOLDER
"""
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

waymark, folder = sys.argv[1:]
path = os.path.join(folder, "s")
failures = 0


def report(what, good, figures):
    global failures
    failures += not good
    print(f"  {'ok  ' if good else 'FAIL'} {what}: {figures}")


def call(n, tool="search_trail_rules", **arguments):
    return json.dumps({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}) + "\n"


def start():
    daemon = subprocess.Popen([waymark, "serve", "--data", os.path.join(folder, "data"), "--socket", path], stderr=subprocess.DEVNULL)
    while True:
        try:
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(path)
                s.sendall(b"GET /readyz HTTP/1.1\r\nHost: waymark\r\nConnection: close\r\n\r\n")
                if b" 200 " in s.recv(100):
                    return daemon
        except OSError:
            pass
        time.sleep(0.01)


def stop(daemon):
    daemon.send_signal(signal.SIGTERM)
    daemon.wait()


class Bridge:
    def __init__(self):
        self.process = subprocess.Popen([waymark, "mcp", "-w", "acme", "--socket", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        return self.process.wait(), rest


def failed(message):
    return "error" in message or message["result"].get("isError", False)


def pipes():
    """One-shot pipes of a shell: every answer is out before the end."""
    lines = "".join([json.dumps({"jsonrpc": "2.0", "id": 0, "method": "tools/list"}) + "\n"] + [call(n, query="invoice approval", limit=2) for n in range(1, 6)])
    complete = 0
    for _ in range(100):
        done = subprocess.run([waymark, "mcp", "-w", "acme", "--socket", path], input=lines, capture_output=True, text=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        complete += done.returncode == 0 and not done.stderr and sorted(a["id"] for a in answers) == list(range(6)) and not any(map(failed, answers))
    report("one-shot pipes", complete == 100, f"{complete} of 100 complete")


def cold(what, messages, limit):
    """The time from starting the process to the answer of its first message."""
    times = []
    for _ in range(20):
        began = time.perf_counter()
        bridge = Bridge()
        bridge.send(messages)
        bridge.receive()
        times.append((time.perf_counter() - began) * 1000)
        bridge.end()
    report(what, statistics.median(times) <= limit, f"median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms, bound {limit} ms")


def restarts(daemon):
    """One session over ten restarts, with calls all the time."""
    bridge, answers, sent, stopping = Bridge(), [], 0, False
    reader = threading.Thread(target=lambda: answers.extend(json.loads(line) for line in bridge.process.stdout))

    def load():
        nonlocal sent
        while not stopping:
            sent += 1
            bridge.send(call(sent, query="invoice approval", limit=2))
            time.sleep(0.02)

    reader.start()
    sender = threading.Thread(target=load)
    sender.start()
    for _ in range(10):
        time.sleep(0.5)
        stop(daemon)
        daemon = start()
    time.sleep(0.5)
    stopping = True
    sender.join()
    bridge.process.stdin.close()
    reader.join()
    code = bridge.process.wait()
    bad = sum(map(failed, answers))
    report("ten restarts under load", code == 0 and bad == 0 and len(answers) == sent, f"sessions lost {int(code != 0)}, calls {sent}, answers {len(answers)}, failed {bad}")
    return daemon


def crowd():
    """32 bridges of 50 searches each, beside an import of 500 documents."""
    documents = os.path.join(folder, "documents")
    os.makedirs(documents)
    for n in range(500):
        with open(os.path.join(documents, f"note-{n}.md"), "w") as f:
            f.write(f"---\nid: note-{n}\ntitle: Note {n}\nstatus: active\n---\n\n# Note {n}\n\nThe archive keeps box {n} for {n % 10 + 1} years.\n")
    errors, times, lock = 0, [], threading.Lock()

    def work():
        nonlocal errors
        bridge = Bridge()
        for n in range(50):
            began = time.perf_counter()
            bridge.send(call(n, query=f"who approves invoice number {n}?", limit=3))
            bad = failed(bridge.receive())
            with lock:
                times.append((time.perf_counter() - began) * 1000)
                errors += bad
        code, rest = bridge.end()
        with lock:
            errors += code != 0 or rest != ""

    importing = subprocess.Popen([waymark, "import", documents, "-w", "acme", "--socket", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    threads = [threading.Thread(target=work) for _ in range(32)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    code = importing.wait()
    times.sort()
    report("32 bridges beside an import", errors == 0 and code == 0 and len(times) == 1600,
           f"searches {len(times)}, errors {errors}, import ended with {code}; p50 {times[800]:.0f} ms, p99 {times[1584]:.0f} ms")


def orphans():
    """A bridge ends when its host is gone, and at once when it is asked to."""
    bridge = Bridge()
    bridge.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}) + "\n")
    bridge.receive()
    bridge.process.send_signal(signal.SIGTERM)
    began = time.perf_counter()
    code = bridge.process.wait(10)
    took = (time.perf_counter() - began) * 1000
    host = subprocess.Popen([sys.executable, "-c", "import subprocess,sys,time\np=subprocess.Popen(sys.argv[1:],stdin=subprocess.PIPE,stdout=subprocess.PIPE)\nprint(p.pid,flush=True)\ntime.sleep(60)",
                             waymark, "mcp", "-w", "acme", "--socket", path], stdout=subprocess.PIPE, text=True)
    pid = int(host.stdout.readline())
    host.kill()
    host.wait()
    for _ in range(100):
        try:
            with open(f"/proc/{pid}/stat") as f:
                gone = f.read().split()[2] == "Z"
        except OSError:
            gone = True
        if gone:
            break
        time.sleep(0.02)
    report("no orphans", code == 0 and took < 500 and gone, f"ended {took:.0f} ms after SIGTERM; gone after its host was killed: {gone}")


INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "cold", "version": "1"}}}) + "\n"
LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}) + "\n"

daemon = start()
try:
    pipes()
    cold("initialize from cold", INITIALIZE, 100)
    cold("tools/list from cold", LIST, 100)
    orphans()
    crowd()
    daemon = restarts(daemon)
    stop(daemon)
    cold("tools/list from cold, no daemon", LIST, 100)
finally:
    if daemon.poll() is None:
        stop(daemon)
sys.exit(failures > 0)
