"""One side of a DANCERS run. Options as JSON: address; mode, what it does in step `at` (default: never):
  end, empty, begin, close, garbage, bomb, cut, hang, vanish, unasked, twice.
payload: text that is answered with the number of the step; speak: answer a payload only in these steps;
begins: the first answer waits until this file exists.
Prints what it receives: one line per message, {"step", "type", "payload"}, and {"connected": true}.
"""

import gzip
import json
import os
import signal
import sys
import time

import dancers_wire as wire

options = json.loads(sys.argv[1])
at = options.get("at", -1)
mode = options.get("mode", "end")
quiet = options.get("quiet", False)


def print_line(line):
    print(json.dumps(line), flush=True)


# A gateway may take longer to listen than the connectors of the original wait.
peer = wire.connect(options["address"], tries=100)
print_line({"connected": True})
answer = wire.update(wire.END)
begins = options.get("begins")
step = 0
while True:
    try:
        kind, payload = wire.next_update(peer)
    except (EOFError, ConnectionError):
        print_line({"gone": True})
        break
    if not quiet or kind == wire.CLOSE:
        print_line({"step": step, "type": kind, "payload": payload.decode("latin-1")})
    if kind == wire.CLOSE:
        break
    while begins is not None and not os.path.exists(begins):
        time.sleep(0.01)
    if step == at or (at == "always"):
        if mode == "empty":
            peer.sendall(wire.framed(b""))
        elif mode == "begin":
            peer.sendall(wire.update(wire.BEGIN, b"x"))
        elif mode == "close":
            peer.sendall(wire.update(wire.CLOSE))
        elif mode == "garbage":
            peer.sendall(wire.framed(b"no gzip at all"))
        elif mode == "bomb":
            peer.sendall(wire.framed(gzip.compress(bytes(64 * 1024 * 1024 + 1))))
        elif mode == "long":
            peer.sendall(b"\xff\xff\xff\xff")
        elif mode == "cut":
            peer.sendall(wire.update(wire.END, b"x")[:-3])
            break
        elif mode == "hang":
            signal.pause()
        elif mode == "vanish":
            break
        elif mode == "twice":
            peer.sendall(answer + answer)
        step += 1
        continue
    speaks = "payload" in options and step in options.get("speak", [step])
    time.sleep(options.get("wait", 0))
    peer.sendall(wire.update(wire.END, f"{options['payload']}{step}".encode()) if speaks else answer)
    step += 1
peer.close()
