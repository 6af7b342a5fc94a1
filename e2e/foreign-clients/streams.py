"""What kubernetes.stream does with the pod `web` through kas; prints one JSON object.

usage: streams.py KUBECONFIG
"""

import hashlib
import json
import os
import sys
import time

from kubernetes import client, config, watch
from kubernetes.stream import portforward, stream

LIMIT_SECONDS = 30
POD = ("web", "default")


def run_command(api):
    """Standard input, output and error, and the exit code."""
    command = ["sh", "-c", "head -n 1; echo words >&2; exit 7"]
    socket = stream(
        api.connect_get_namespaced_pod_exec, *POD, command=command, stdin=True, stdout=True, stderr=True, tty=False, _preload_content=False
    )
    socket.write_stdin("a line\n")
    socket.run_forever(timeout=LIMIT_SECONDS)
    return {"stdout": socket.read_stdout(timeout=1), "stderr": socket.read_stderr(timeout=1), "code": socket.returncode}


def use_terminal(api):
    """The size follows the start of the program, as with a real kubelet."""
    socket = stream(api.connect_get_namespaced_pod_exec, *POD, command=["sh"], stdin=True, stdout=True, tty=True, _preload_content=False)
    socket.write_channel(4, json.dumps({"Width": 77, "Height": 31}))
    text = ""
    deadline = time.monotonic() + LIMIT_SECONDS
    while "31 77" not in text and time.monotonic() < deadline:
        socket.write_stdin("stty size\r")
        text += socket.read_stdout(timeout=1) or ""
    socket.write_stdin("exit 3\r")
    socket.run_forever(timeout=LIMIT_SECONDS)
    return {"size": "31 77" in text, "code": socket.returncode}


def forward_port(api):
    """Bytes to a port that echoes them: a zero first, which is no HTTP."""
    sent = b"\0" + os.urandom(512 * 1024)
    forwarded = portforward(api.connect_get_namespaced_pod_portforward, *POD, ports="80")
    socket = forwarded.socket(80)
    socket.settimeout(LIMIT_SECONDS)
    received = b""
    offset = 0
    while len(received) < len(sent):
        if offset < len(sent):
            offset += socket.send(sent[offset : offset + 16 * 1024])
        received += socket.recv(64 * 1024)
    error = forwarded.error(80)
    socket.close()
    return {"same": hashlib.sha256(received).digest() == hashlib.sha256(sent).digest(), "error": error}


def follow_log(api):
    """Lines as they come."""
    follower = watch.Watch()
    lines = []
    for line in follower.stream(api.read_namespaced_pod_log, *POD, tail_lines=1, _request_timeout=LIMIT_SECONDS):
        lines.append(line)
        if len(lines) == 3:
            follower.stop()
    return len(lines)


def main():
    config.load_kube_config(sys.argv[1])
    api = client.CoreV1Api()
    stories = [run_command, use_terminal, forward_port, follow_log]
    print(json.dumps({story.__name__: story(api) for story in stories}))


main()
