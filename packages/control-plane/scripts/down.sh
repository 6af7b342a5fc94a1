#!/usr/bin/env bash
# Stops the cluster of $CONTROL_PLANE_RUN: exactly the processes in its pid files, newest part first.
#   down.sh [--purge]   --purge also deletes the state (etcd data, keys, logs)
set -euo pipefail
. "$(dirname "$0")/lib.sh"
R=$CONTROL_PLANE_RUN
for name in kwok kube-scheduler kube-controller-manager kube-apiserver etcd; do
  f=$R/pid/$name.pid
  if alive "$f"; then
    read -r pid _ <"$f"
    kill -TERM "$pid" 2>/dev/null || true
    for _ in $(seq 100); do alive "$f" || break; sleep 0.1; done
    if alive "$f"; then say "$name ignored SIGTERM for 10 s, killing it"; kill -KILL "$pid" 2>/dev/null || true; fi
  fi
  rm -f "$f"
done
rmdir "$R/pid" 2>/dev/null || true   # tells the watcher of up.sh to end
if [ "${1:-}" = --purge ]; then
  [ -f "$R/pki/ca.crt" ] || die "$R does not look like a run directory"
  rm -rf "$R"
fi
