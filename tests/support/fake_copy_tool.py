"""Stands on PATH as skopeo, crane or oras: writes down how it was called, and moves manifests between stubs."""

import json
import os
import signal
import sys
import time
import urllib.request

SPOILED = b'{"schemaVersion": 2, "manifests": [{"platform": {"architecture": "amd64"}}]}'

name, arguments = os.path.basename(sys.argv[0]), sys.argv[1:]
record = {"tool": name, "arguments": arguments, "config": None, "input": None}
folder = os.environ.get("DOCKER_CONFIG")
if folder:
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        record["config"] = json.load(file)
if "login" in arguments:
    record["input"] = sys.stdin.read()
with open(os.environ["FAKE_TOOL_CALLS"], "a", encoding="utf-8") as file:
    file.write(json.dumps(record) + "\n")
if "login" in arguments:
    sys.exit(int(os.environ.get("FAKE_LOGIN_STATUS", "0")))
behave = os.environ.get("FAKE_TOOL", "copy")
if behave == "fail":
    print("layer 1 done\nblob upload: connection reset", file=sys.stderr)
    sys.exit(7)
if behave == "hang":
    open(os.environ["FAKE_TOOL_CALLS"] + ".hangs", "w").close()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    time.sleep(120)
source, target = [each.removeprefix("docker://") for each in arguments[-2:]]
host, _, rest = source.partition("/")
repository, _, digest = rest.partition("@")
there, _, path = target.partition("/")
into, _, tag = path.rpartition(":")
body = b""
if behave == "copy":
    from_tag = os.environ["FAKE_TOOL_TAGS"]
    with open(from_tag, encoding="utf-8") as file:
        known = json.load(file)
    with urllib.request.urlopen(f"http://{host}/v2/{repository}/manifests/{known[digest]}") as answer:
        body = answer.read()
request = urllib.request.Request(
    f"http://{there}/fake-copy?repository={into}&tag={tag}",
    data=body or SPOILED,
    method="PUT",
)
urllib.request.urlopen(request).close()
