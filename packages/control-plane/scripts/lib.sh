# Shared settings of the control plane scripts (sourced, not run). Both variables must be set:
#   KUBEBUILDER_ASSETS  where the binaries are
#   CONTROL_PLANE_RUN   state of one running cluster; give each cluster its own
: "${KUBEBUILDER_ASSETS:?}" "${CONTROL_PLANE_RUN:?}"
SCRIPTS_HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# bin NAME: the binary from the assets folder, else from PATH.
bin() {
  if [ -x "$KUBEBUILDER_ASSETS/$1" ]; then printf '%s\n' "$KUBEBUILDER_ASSETS/$1"
  else command -v "$1" || die "$1 not found in $KUBEBUILDER_ASSETS nor in PATH"; fi
}

# A loopback TCP port below the ephemeral range that nobody listens on and that this run has not handed out yet.
PORTS_USED=" "
free_port() {
  local p i
  for i in $(seq 200); do
    p=$((20000 + (RANDOM * 32768 + RANDOM) % 12000))
    case "$PORTS_USED" in *" $p "*) continue ;; esac
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$p") 2>/dev/null; then
      PORTS_USED="$PORTS_USED$p "
      REPLY=$p
      return 0
    fi
  done
  die "no free port"
}

# alive PIDFILE: true if the process recorded there still runs the binary recorded there.
alive() {
  [ -f "$1" ] || return 1
  local pid exe; read -r pid exe <"$1"
  [ -n "$pid" ] && [ -d "/proc/$pid" ] && [ "$(readlink "/proc/$pid/exe" 2>/dev/null)" = "$exe" ]
}
