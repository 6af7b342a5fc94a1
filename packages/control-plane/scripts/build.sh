#!/usr/bin/env bash
# Builds etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kubectl and kwok into DIR: one binary from ../programs and
# a link to it under each of the six names. Does nothing when DIR was built from these very sources. Prints DIR.
#   build.sh DIR
# Needs a Go of the version in go.mod or newer on PATH; about 12 CPU minutes without a build cache, then seconds.
# Knobs: CONTROL_PLANE_BUILD_JOBS (compilers side by side, default: one per core), GOCACHE and GOMODCACHE as everywhere.
set -euo pipefail
DIR=${1:?"usage: build.sh DIR"}
SOURCES=$(cd "$(dirname "$0")/../programs" && pwd)
mkdir -p "$DIR"
DIR=$(cd "$DIR" && pwd)
say() { printf '%s\n' "$*" >&2; }

cd "$SOURCES"
SUM=$(cat go.mod go.sum main.go "$SOURCES/../scripts/build.sh" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$DIR/.built-from" 2>/dev/null || true)" = "$SUM" ]; then
  printf '%s\n' "$DIR"
  exit
fi

# Never fetches another toolchain.
export GOTOOLCHAIN=local
WANTED=go$(sed -n 's/^go //p' go.mod)
FOUND=$(go env GOVERSION 2>/dev/null || true)
if [ -z "$FOUND" ] || [ "$(printf '%s\n' "$WANTED" "$FOUND" | sort -V | head -n 1)" != "$WANTED" ]; then
  say "The control plane cannot be built: it needs $WANTED or newer on PATH, which has ${FOUND:-no Go}."
  exit 3
fi

export CGO_ENABLED=0 GOFLAGS="-buildvcs=false -trimpath -mod=readonly -p=${CONTROL_PLANE_BUILD_JOBS:-$(getconf _NPROCESSORS_ONLN)}"
VERSION=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
MINOR=${VERSION#v1.}
MINOR=${MINOR%%.*}
# A component built without these calls itself v0.0.0-master, which clients cannot parse.
FLAGS="-s -w"
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
  FLAGS="$FLAGS -X $package.gitVersion=$VERSION -X $package.gitMajor=1 -X $package.gitMinor=$MINOR"
  FLAGS="$FLAGS -X $package.gitTreeState=clean -X $package.gitCommit=module"
done

rm -f "$DIR/.built-from"
say "building Kubernetes $VERSION, about 12 CPU minutes the first time …"
go build -ldflags "$FLAGS" -o "$DIR/programs" .
for name in etcd kube-apiserver kube-controller-manager kube-scheduler kubectl kwok; do ln -sf programs "$DIR/$name"; done
printf '%s\n' "$SUM" >"$DIR/.built-from"
say "built Kubernetes $VERSION in $SECONDS s"
printf '%s\n' "$DIR"
