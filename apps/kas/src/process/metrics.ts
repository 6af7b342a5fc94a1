import { ByteLedger, type LedgerLimits } from "@binnacle/grpc-wire";
import { AGENT_WAIT_MS, type FaultReason, sleep, type Clock, type Module } from "@binnacle/rpc";
import { collectProcessMetrics } from "@binnacle/telemetry/process-metrics";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

import type { RoutingMetrics } from "../agent-call/routing-metrics.ts";
import { UPGRADE_OUTCOMES, type UpgradeRules } from "../kubernetes-api/proxy/upgraded-connection.ts";
import type { KasPeerPool } from "../kas-routing/kas-peer-pool.ts";
import { createLogsMetrics, type LogsMetrics } from "../logs/logs-metrics.ts";
import type { CredentialKind } from "../main-application/refused-credentials.ts";
import type { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";

/** Everything kas counts. Labels come from closed sets: never an id, a path or a user. */
export interface KasMetrics {
  readonly registry: Registry;
  readonly routing: RoutingMetrics;
  /** A request of the Kubernetes proxy was answered with this HTTP status. */
  proxied(statusCode: number): void;
  /** Counts upgraded connections: exec, attach, port-forward, WebSockets. */
  readonly upgrades: Required<Pick<UpgradeRules, "onOpened" | "onEnded">>;
  /** Counts streams of logs. */
  readonly logs: LogsMetrics;
  /** A credential was rejected, or could not be checked. */
  refusedCredential(kind: CredentialKind, reason: FaultReason): void;
  /** Records of proxied requests were written, or dropped because too many waited. */
  audited(outcome: "written" | "dropped", records: number): void;
  /** A request to a cluster was ended because the client or the agent was idle for too long. */
  silenced(reason: FaultReason): void;
  /** From now on the tunnels of `registry` are counted whenever metrics are read. */
  watchTunnels(registry: Pick<TunnelRegistry, "counts">): void;
  /** The same for connections to other kas. */
  watchPeers(peers: Pick<KasPeerPool, "counts">): void;
}

/** Which program it is, as `kas_build_info` shows it. */
export interface BuildInfo {
  readonly version: string;
  readonly gitRef: string;
}

/** Bounds in seconds: an idle tunnel is there at once, an agent that is away is waited for. */
const WAIT_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, AGENT_WAIT_MS / 1_000];

const EVERY_MS = 1_000;

/** Makes the metrics in a registry of their own, so that a process can have several kas. */
export function createKasMetrics(build: BuildInfo): KasMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectProcessMetrics(registry);
  new Gauge({ name: "kas_build_info", help: "Always 1; the labels say which kas it is", labelNames: ["version", "git_ref"], registers })
    .labels(build.version, build.gitRef)
    .set(1);
  const proxied = new Counter({
    name: "kas_proxied_requests_total",
    help: "Answered requests of the Kubernetes proxy",
    labelNames: ["code"],
    registers,
  });
  const refused = new Counter({
    name: "kas_refused_credentials_total",
    help: "Credentials that were refused, by what they were and why",
    labelNames: ["kind", "reason"],
    registers,
  });
  const silences = new Counter({
    name: "kas_silent_requests_total",
    help: "Requests to clusters that were ended because the agent, the reader or the sender kept silent for too long",
    labelNames: ["reason"],
    registers,
  });
  const audited = new Counter({
    name: "kas_audit_records_total",
    help: "Records of proxied requests, by whether they were written or dropped because the output did not take them",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["written", "dropped"]) audited.labels(outcome).inc(0);
  const answers = remembered((code: string) => proxied.labels(code));
  return {
    registry,
    audited: (outcome, records) => audited.labels(outcome).inc(records),
    silenced: (reason) => silences.labels(reason).inc(),
    upgrades: upgradeMetrics(registers),
    logs: createLogsMetrics(registry),
    routing: routingMetrics(registers),
    proxied: (statusCode) => answers(codeOf(statusCode)).inc(),
    refusedCredential: (kind, reason) => refused.labels(kind, reason).inc(),
    watchTunnels: (tunnels) => watchTunnels(tunnels, registers),
    watchPeers: (peers) => watchPeers(peers, registers),
  };
}

/** The status as a label; whatever HTTP does not know (an agent may send anything) is one value. */
function codeOf(statusCode: number): string {
  return Number.isInteger(statusCode) && statusCode >= 100 && statusCode <= 599 ? String(statusCode) : "other";
}

/** Looks each label up once: they come from closed sets, and looking up costs more than counting. */
function remembered<T>(look: (label: string) => T): (label: string) => T {
  const known = new Map<string, T>();
  return (label) => {
    const child = known.get(label) ?? look(label);
    known.set(label, child);
    return child;
  };
}

function upgradeMetrics(registers: Registry[]): KasMetrics["upgrades"] {
  const open = new Gauge({
    name: "kas_upgraded_connections",
    help: "Connections of exec, attach, port-forward and WebSockets that are open",
    registers,
  });
  const ended = new Counter({
    name: "kas_upgraded_connections_ended_total",
    help: "Connections of exec, attach, port-forward and WebSockets that have ended, by how",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of UPGRADE_OUTCOMES) ended.labels(outcome).inc(0);
  return {
    onOpened: () => open.inc(),
    onEnded(outcome) {
      open.dec();
      ended.labels(outcome).inc();
    },
  };
}

function routingMetrics(registers: Registry[]): RoutingMetrics {
  const waits = new Histogram({
    name: "kas_route_wait_seconds",
    help: "How long requests looked for a tunnel, by how the search ended",
    labelNames: ["outcome"],
    buckets: WAIT_BUCKETS,
    registers,
  });
  const violations = new Counter({
    name: "kas_frame_violations_total",
    help: "Streams ended because the other side broke the rules of its frames",
    labelNames: ["side"],
    registers,
  });
  const bugs = new Counter({ name: "kas_call_bugs_total", help: "Calls that an error of kas itself ended", registers });
  const refusals = new Counter({
    name: "kas_hop_refusals_total",
    help: "Requests of other kas that were refused: no valid token, or a repeated one",
    registers,
  });
  const rogues = new Counter({ name: "kas_rogue_routes_total", help: "Entries of the route store that no kas has signed", registers });
  const rogueSyncs = new Counter({ name: "kas_rogue_syncs_total", help: "Reports of syncs in Redis that no kas has signed", registers });
  const refused = new Counter({
    name: "kas_refused_streams_total",
    help: "Streams and connections that were rejected before they were served",
    labelNames: ["listener", "reason"],
    registers,
  });
  const waitsOf = remembered((outcome: string) => waits.labels(outcome));
  return {
    routed: (outcome, waitMs) => waitsOf(outcome).observe(waitMs / 1_000),
    frameViolation: (side) => violations.labels(side).inc(),
    listenerBug: () => bugs.inc(),
    hopRefused: () => refusals.inc(),
    rogueRoute: () => rogues.inc(),
    rogueSync: () => rogueSyncs.inc(),
    refused: (listener, reason) => refused.labels(listener, reason).inc(),
  };
}

function watchTunnels(tunnels: Pick<TunnelRegistry, "counts">, registers: Registry[]): void {
  const gauge = (name: string, help: string, key: keyof ReturnType<TunnelRegistry["counts"]>) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(tunnels.counts()[key]);
      },
    });
  gauge("kas_agents_connected", "Agents with at least one open tunnel or configuration stream here", "agents");
  gauge("kas_connections_open", "Agent connections bound to a replica here", "connections");
  gauge("kas_tunnels_open", "Tunnels of agents, idle or in use", "open");
  gauge("kas_tunnels_idle", "Tunnels that wait for a request", "idle");
  gauge("kas_requests_waiting", "Requests that wait for a tunnel", "waiting");
}

function watchPeers(peers: Pick<KasPeerPool, "counts">, registers: Registry[]): void {
  const gauge = (options: { name: string; help: string; labelNames?: string[] }, read: (gauge: Gauge) => void) =>
    new Gauge({
      ...options,
      registers,
      collect() {
        read(this);
      },
    });
  gauge({ name: "kas_peer_sessions", help: "Connections to other kas" }, (sessions) => sessions.set(peers.counts().sessions));
  const help = "Streams to other kas: open, or queued because the other kas allows no more";
  gauge({ name: "kas_peer_streams", help, labelNames: ["state"] }, (streams) => {
    const { open, queued } = peers.counts();
    streams.set({ state: "open" }, open);
    streams.set({ state: "queued" }, queued);
  });
}

/** Looks once a second at what waits in this process without a word. */
export function byteSampler(ledger: ByteLedger, clock: Clock): Module {
  return {
    name: "byte sampler",
    async run(signal) {
      while (!signal.aborted) {
        await sleep(clock, EVERY_MS, signal);
        ledger.sample();
      }
    },
    close: async () => undefined,
  };
}

/** A ledger whose figures are in `registry`. */
export function measuredLedger(limits: LedgerLimits, registry: Registry): ByteLedger {
  const registers = [registry];
  const cuts = new Counter({
    name: "kas_budget_cuts_total",
    help: "Streams ended because too many bytes waited: of whom, and whether its own limit or that of the process was reached",
    labelNames: ["owner", "scope"],
    registers,
  });
  const ledger = new ByteLedger(limits, (owner, scope) => cuts.labels(owner, scope).inc());
  const gauge = (name: string, help: string, key: keyof ReturnType<ByteLedger["counts"]>) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(ledger.counts()[key]);
      },
    });
  gauge("kas_stalled_bytes", "Bytes that wait: unfinished messages and data that clients do not read", "held");
  gauge("kas_accounts_open", "Agents and users with an account for such bytes", "owners");
  gauge("kas_streams_slowed", "Streams that are not read because their owner holds too much", "waiting");
  return ledger;
}
