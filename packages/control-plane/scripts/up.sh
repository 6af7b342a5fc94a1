#!/usr/bin/env bash
# Starts one control plane on loopback: etcd, kube-apiserver (TLS, RBAC, client certificates, static tokens, service
# accounts), kube-controller-manager, kube-scheduler, kwok with fake nodes. Prints the admin kubeconfig's path on stdout.
# Several clusters side by side: give each its own CONTROL_PLANE_RUN.
# CONTROL_PLANE_KEEP=1 starts on the objects the last run left there, e.g. on a copy of a seeded, stopped run directory
# (2,000 pods are back in seconds instead of two minutes); otherwise every start is empty.
# Knobs: CONTROL_PLANE_NODES (3), CONTROL_PLANE_PARTS ("kcm scheduler kwok"; empty = API server only),
#        CONTROL_PLANE_APISERVER_ARGS (added last), CONTROL_PLANE_AUDIT=1 (audit.jsonl at Metadata level, for checking who asked what),
#        CONTROL_PLANE_EXEC=1 (kubectl exec really runs the command HERE, as this user), CONTROL_PLANE_FORWARD=port (what
#        kubectl port-forward to any pod reaches on 127.0.0.1): both off unless asked for,
#        CONTROL_PLANE_KUBELET_PORT (Nodes name this port instead of kwok's: whoever listens there serves exec, attach, port-forward and logs),
#        CONTROL_PLANE_OWNER=pid (down.sh is run when that process is gone, so that a killed test leaves nothing behind).
set -euo pipefail +m
. "$(dirname "$0")/lib.sh"
NODES=${CONTROL_PLANE_NODES:-3}
PARTS=${CONTROL_PLANE_PARTS-kcm scheduler kwok}
VERSION=1   # of the run directory's layout

R=$CONTROL_PLANE_RUN
for f in "$R"/pid/*.pid; do alive "$f" && die "something of $R still runs (down.sh first)"; done
ETCD=$(bin etcd) APISERVER=$(bin kube-apiserver) KUBECTL=$(bin kubectl)
[ "${CONTROL_PLANE_KEEP:-}" = 1 ] || rm -rf "$R/etcd"
rm -rf "$R/pid" "$R/log" "$R/audit.jsonl"
umask 077
mkdir -p "$R/pki" "$R/pid" "$R/log"
T0=$(date +%s%N)
since() { echo $((($(date +%s%N) - T0) / 1000000)); }

free_port; P_ETCD=$REPLY; free_port; P_PEER=$REPLY; free_port; P_API=$REPLY
free_port; P_KCM=$REPLY; free_port; P_SCHED=$REPLY; free_port; P_KWOK=$REPLY

if [ -n "${CONTROL_PLANE_OWNER:-}" ]; then
  setsid bash -c 'while [ -d "/proc/$1" ]; do sleep 1; [ -d "$2/pid" ] || exit 0; done; exec "$3/down.sh"' \
    watch "$CONTROL_PLANE_OWNER" "$R" "$SCRIPTS_HERE" >/dev/null 2>&1 </dev/null &
fi

# --- keys: one authority, one certificate per identity (kept between starts) -------------------------------------------
cd "$R/pki"
ssl() { openssl "$@" 2>>"$R/log/openssl.log" || die "openssl $1 failed, see log/openssl.log"; }
key() { [ -f "$1.key" ] || ssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }
cert() { # name subject [extensions]
  [ -f "$1.crt" ] && return
  key "$1"
  ssl req -new -key "$1.key" -subj "$2" -out "$1.csr"
  printf 'basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\n%s\n' "${3:-extendedKeyUsage=clientAuth}" >"$1.ext"
  ssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -extfile "$1.ext" -out "$1.crt"
}
if [ ! -f ca.crt ]; then
  key ca
  ssl req -x509 -new -key ca.key -subj /CN=bench-ca -days 3650 -out ca.crt -addext keyUsage=critical,keyCertSign,cRLSign,digitalSignature
fi
key sa
[ -f sa.pub ] || ssl ec -in sa.key -pubout -out sa.pub
cert apiserver /CN=kube-apiserver "extendedKeyUsage=serverAuth
subjectAltName=IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local"
cert kubelet /O=system:nodes/CN=system:node:bench "extendedKeyUsage=serverAuth,clientAuth
subjectAltName=IP:127.0.0.1,DNS:localhost"
cert admin /O=system:masters/CN=bench-admin
cert apiserver-kubelet /O=system:masters/CN=kube-apiserver-kubelet-client
cert kcm /CN=system:kube-controller-manager
cert scheduler /CN=system:kube-scheduler
cert kwok /O=system:masters/CN=bench-kwok
cert front-proxy /CN=front-proxy-client
# Static tokens: token,user,uid,"group,group". admin = everything; nobody = authenticated without any right.
if [ ! -f tokens.csv ]; then
  { printf '%s,bench-token-admin,1,"system:masters"\n' "$(openssl rand -hex 24)"
    printf '%s,bench-token-nobody,2,"bench:nobody"\n' "$(openssl rand -hex 24)"; } >tokens.csv
fi
cd "$R"

kubeconfig() { # file user-block...
  local f=$1; shift
  cat >"$f" <<KC
apiVersion: v1
kind: Config
current-context: bench
clusters: [{name: bench, cluster: {server: "https://127.0.0.1:$P_API", certificate-authority: "$R/pki/ca.crt"}}]
contexts: [{name: bench, context: {cluster: bench, user: bench}}]
users: [{name: bench, user: {$*}}]
KC
}
certs() { printf 'client-certificate: "%s/pki/%s.crt", client-key: "%s/pki/%s.key"' "$R" "$1" "$R" "$1"; }
for u in admin kcm scheduler kwok; do kubeconfig "$u.kubeconfig" "$(certs $u)"; done
for u in admin nobody; do kubeconfig "token-$u.kubeconfig" "token: \"$(grep "bench-token-$u," pki/tokens.csv | cut -d, -f1)\""; done

start() { # name binary args...
  local name=$1 exe=$2; shift 2
  setsid "$exe" "$@" >"$R/log/$name.log" 2>&1 </dev/null &
  printf '%s %s\n' "$!" "$(readlink -f "$exe")" >"$R/pid/$name.pid"
  # until it has become that binary (fork, setsid, exec take a while on a busy machine) or is gone again
  for _ in $(seq 100); do alive "$R/pid/$name.pid" && break; [ -d "/proc/$!" ] || break; sleep 0.05; done
}
fail() { say "--- $1.log"; tail -n 15 "$R/log/$1.log" >&2; "$SCRIPTS_HERE/down.sh" >&2 || true; die "$1 did not become ready"; }

# --- etcd: no fsync, the data is thrown away; Debian's 3.4 lacks that flag ---------------------------------------------
EXTRA=()
"$ETCD" --help 2>&1 | grep -q -- --unsafe-no-fsync && EXTRA+=(--unsafe-no-fsync)
start etcd "$ETCD" --name bench --data-dir "$R/etcd" --logger zap --log-level warn "${EXTRA[@]}" \
  --listen-client-urls "http://127.0.0.1:$P_ETCD" --advertise-client-urls "http://127.0.0.1:$P_ETCD" \
  --listen-peer-urls "http://127.0.0.1:$P_PEER" --initial-advertise-peer-urls "http://127.0.0.1:$P_PEER" \
  --initial-cluster "bench=http://127.0.0.1:$P_PEER" --quota-backend-bytes 4294967296

# --- API server ---------------------------------------------------------------------------------------------------------
AUDIT=()
if [ "${CONTROL_PLANE_AUDIT:-}" = 1 ]; then
  printf 'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n' >audit-policy.yaml
  AUDIT=(--audit-policy-file "$R/audit-policy.yaml" --audit-log-path "$R/audit.jsonl")
fi
# endpoint-reconciler none: loopback may not be an Endpoints address; the service "kubernetes" then has no endpoints.
# shellcheck disable=SC2086
start kube-apiserver "$APISERVER" --etcd-servers "http://127.0.0.1:$P_ETCD" \
  --bind-address 127.0.0.1 --advertise-address 127.0.0.1 --secure-port "$P_API" --endpoint-reconciler-type none \
  --tls-cert-file "$R/pki/apiserver.crt" --tls-private-key-file "$R/pki/apiserver.key" --client-ca-file "$R/pki/ca.crt" \
  --token-auth-file "$R/pki/tokens.csv" --authorization-mode Node,RBAC --enable-admission-plugins NodeRestriction \
  --service-account-issuer https://kubernetes.default.svc.cluster.local \
  --service-account-signing-key-file "$R/pki/sa.key" --service-account-key-file "$R/pki/sa.pub" \
  --service-cluster-ip-range 10.96.0.0/16 --allow-privileged=true \
  --kubelet-certificate-authority "$R/pki/ca.crt" --kubelet-client-certificate "$R/pki/apiserver-kubelet.crt" \
  --kubelet-client-key "$R/pki/apiserver-kubelet.key" --kubelet-preferred-address-types InternalIP \
  --requestheader-client-ca-file "$R/pki/ca.crt" --requestheader-allowed-names front-proxy-client \
  --requestheader-username-headers X-Remote-User --requestheader-group-headers X-Remote-Group \
  --requestheader-extra-headers-prefix X-Remote-Extra- \
  --proxy-client-cert-file "$R/pki/front-proxy.crt" --proxy-client-key-file "$R/pki/front-proxy.key" \
  --event-ttl 6h --profiling=false "${AUDIT[@]}" ${CONTROL_PLANE_APISERVER_ARGS:-}

K="$KUBECTL --kubeconfig $R/admin.kubeconfig"
readyz() { # curl where there is one: it costs a twentieth of a kubectl start
  if command -v curl >/dev/null; then
    curl -s --max-time 2 --cacert "$R/pki/ca.crt" --cert "$R/pki/admin.crt" --key "$R/pki/admin.key" "https://127.0.0.1:$P_API/readyz"
  else $K get --raw /readyz 2>/dev/null; fi
}
for i in $(seq 900); do
  alive pid/kube-apiserver.pid || { sleep 0.2; fail kube-apiserver; }
  alive pid/etcd.pid || { sleep 0.2; fail etcd; }
  [ "$(readyz || true)" = ok ] && break
  [ "$i" = 900 ] && fail kube-apiserver
  sleep 0.1
done
READY_MS=$(since)
say "kube-apiserver ready after $READY_MS ms (port $P_API)"

# --- controllers, scheduler, fake kubelet --------------------------------------------------------------------------------
case " $PARTS " in *" kcm "*)
  start kube-controller-manager "$(bin kube-controller-manager)" --kubeconfig "$R/kcm.kubeconfig" \
    --authentication-kubeconfig "$R/kcm.kubeconfig" --authorization-kubeconfig "$R/kcm.kubeconfig" \
    --bind-address 127.0.0.1 --secure-port "$P_KCM" --leader-elect=false --use-service-account-credentials=true \
    --service-account-private-key-file "$R/pki/sa.key" --root-ca-file "$R/pki/ca.crt" \
    --cluster-signing-cert-file "$R/pki/ca.crt" --cluster-signing-key-file "$R/pki/ca.key" \
    --allocate-node-cidrs=false --pvclaimbinder-sync-period 3s --kube-api-qps 200 --kube-api-burst 400 ;;
esac
case " $PARTS " in *" scheduler "*)
  start kube-scheduler "$(bin kube-scheduler)" --kubeconfig "$R/scheduler.kubeconfig" \
    --authentication-kubeconfig "$R/scheduler.kubeconfig" --authorization-kubeconfig "$R/scheduler.kubeconfig" \
    --bind-address 127.0.0.1 --secure-port "$P_SCHED" --leader-elect=false --kube-api-qps 200 --kube-api-burst 400 ;;
esac
case " $PARTS " in *" kwok "*)
  sed "s|RUNDIR|$R|" "$SCRIPTS_HERE/kwok.yaml" >kwok.yaml
  printf '%s stdout F bench: hello from a fake container\n' "$(date -u +%Y-%m-%dT%H:%M:%S.000000000Z)" >container.log
  printf '%s stdout F bench: last words of the previous one\n' "$(date -u +%Y-%m-%dT%H:%M:%S.000000000Z)" >container-previous.log
  [ "${CONTROL_PLANE_EXEC:-}" = 1 ] && mkdir -p "$R/exec" && cat >>kwok.yaml <<Y
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterExec
metadata: {name: all}
spec: {execs: [{local: {workDir: "$R/exec"}}]}
Y
  [ -n "${CONTROL_PLANE_FORWARD:-}" ] && cat >>kwok.yaml <<Y
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterPortForward
metadata: {name: all}
spec: {forwards: [{target: {port: $CONTROL_PLANE_FORWARD, address: 127.0.0.1}}]}
Y
  # a new address range after a kept start: kwok forgets which pod addresses it has given out
  net=244; [ "${CONTROL_PLANE_KEEP:-}" = 1 ] && [ -f cidr ] && net=$(($(cat cidr) - 1)); [ "$net" -gt 128 ] || net=244
  echo "$net" >cidr
  start kwok "$(bin kwok)" --kubeconfig "$R/kwok.kubeconfig" --config "$R/kwok.yaml" \
    --manage-all-nodes=false --manage-nodes-with-annotation-selector kwok.x-k8s.io/node=fake \
    --node-ip 127.0.0.1 --node-port "${CONTROL_PLANE_KUBELET_PORT:-$P_KWOK}" --server-address "127.0.0.1:$P_KWOK" --cidr "10.$net.0.0/16" \
    --tls-cert-file "$R/pki/kubelet.crt" --tls-private-key-file "$R/pki/kubelet.key" --node-lease-duration-seconds 40
  for n in $(seq "$NODES"); do
    cat <<NODE
---
apiVersion: v1
kind: Node
metadata:
  name: bench-$n
  annotations: {kwok.x-k8s.io/node: fake, node.alpha.kubernetes.io/ttl: "0"}
  labels: {kubernetes.io/hostname: bench-$n, kubernetes.io/os: linux, kubernetes.io/arch: amd64, topology.kubernetes.io/region: bench, topology.kubernetes.io/zone: bench-$((n % 3)), node-role.kubernetes.io/worker: ""}
NODE
  done | $K apply -f - >/dev/null
  $K wait --for=condition=Ready node --all --timeout=120s >/dev/null || fail kwok ;;
esac
case " $PARTS " in *" kcm "*)   # pods can only be created once the controller has made the service account
  for i in $(seq 150); do $K -n default get serviceaccount default >/dev/null 2>&1 && break; [ "$i" = 150 ] && fail kube-controller-manager; sleep 0.2; done ;;
esac
for f in pid/*.pid; do alive "$f" || fail "$(basename "$f" .pid)"; done

{ echo "layout=$VERSION"; echo "server=https://127.0.0.1:$P_API"; echo "etcd=http://127.0.0.1:$P_ETCD"
  echo "readyz_ms=$READY_MS"; echo "up_ms=$(since)"; } >bench.env
say "everything up after $(since) ms; state in $R"
printf '%s\n' "$R/admin.kubeconfig"
