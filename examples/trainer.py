"""A training loop that is told in time when its block ends, writes its last checkpoint, and stops.

Beyond Python it needs `requests`. MOORAGE_TOKEN holds a token with the scope `jobs`, STOP_HOOK_SECRET what it signs
with. --upload is run for each file: "aws s3 cp --checksum-algorithm SHA256 {file} {target}".
"""

import argparse
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import shlex
import subprocess  # nosec B404
import threading
import time

import requests

SECRET = os.environ["STOP_HOOK_SECRET"]
asked, stop = {}, threading.Event()


class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 65_536))
        at = self.headers.get("Moorage-Timestamp", "")
        signed = hmac.new(SECRET.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
        genuine = hmac.compare_digest(f"sha256={signed}", self.headers.get("Moorage-Signature", ""))
        fresh = at.isdigit() and abs(time.time() - int(at)) < 300
        if genuine and fresh and not stop.is_set():  # one that is repeated is the same one
            asked.update(json.loads(body))
            stop.set()
        self.send_response(202 if genuine and fresh else 401)
        self.end_headers()


def save(step, stop_request=None):
    """Write a checkpoint and upload it; the manifest goes last, so that whoever reads it finds the rest."""
    folder = pathlib.Path("checkpoint")
    folder.mkdir(exist_ok=True)
    (folder / "state.json").write_text(json.dumps({"step": step}))  # your model's and optimizer's state
    files = ["state.json"]
    if stop_request:
        sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files}
        (folder / "moorage-checkpoint.json").write_text(json.dumps({"stop_request": stop_request, "objects": sums}))
        files.append("moorage-checkpoint.json")
    for name in files:
        places = {"file": str(folder / name), "target": f"{options.checkpoint}/{name}"}
        subprocess.run([part.format(**places) for part in shlex.split(options.upload)], check=True)  # nosec B603


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name in ("moorage", "reservation", "job", "hook", "checkpoint", "upload"):
    parser.add_argument(f"--{name}", required=True)
parser.add_argument("--steps", type=int, default=1_000_000)
parser.add_argument("--save-every", type=int, default=100)
options = parser.parse_args()
server = http.server.ThreadingHTTPServer(("", int(options.hook.rsplit(":", 1)[1].split("/")[0])), Hook)
threading.Thread(target=server.serve_forever, daemon=True).start()
job = {"reservation": options.reservation, "id": options.job, "decision": "pause", "stop_hook_url": options.hook,
       "stop_hook_secret": SECRET, "checkpoint": options.checkpoint}  # fmt: skip
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['MOORAGE_TOKEN']}"
answer = session.post(f"{options.moorage}/api/v1/jobs", json=job, timeout=30)
answer.raise_for_status()
address = f"{options.moorage}/api/v1/jobs/{answer.json()['number']}"
for step in range(1, options.steps + 1):
    time.sleep(0.05)  # one step of training
    if stop.is_set():
        save(step, asked["id"])
        break
    if step % options.save_every == 0:
        began = time.monotonic()
        save(step)
        took = [{"seconds": max(0.001, time.monotonic() - began)}]
        session.patch(address, json={"checkpoint_durations": took}, timeout=30)
else:
    session.patch(address, json={"state": "finished"}, timeout=30)
