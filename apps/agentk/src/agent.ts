import { readFileSync } from "node:fs";

import type { MessageInitShape } from "@bufbuild/protobuf";
import { dialHttp2 } from "@binnacle/grpc-wire";
import type { AgentMetaSchema } from "@binnacle/proto/modshared";
import { Fault, runModules, systemClock, type Clock } from "@binnacle/rpc";
import { openProbeServer, type Logger, type LogLevel, type ProbeServer } from "@binnacle/telemetry";

import { ConfigurationStream, logLevelOf } from "./agent-configuration/configuration-stream.ts";
import { COMMIT, PRODUCT, VERSION } from "./base/build-info.ts";
import { CachedFile } from "./base/cached-file.ts";
import type { ClusterAccess } from "./cluster-access/cluster-access.ts";
import { ClusterClient } from "./cluster-access/cluster-client.ts";
import { OwnRequests } from "./cluster-access/own-requests.ts";
import { readClusterVersion, type ClusterVersion } from "./cluster-access/cluster-version.ts";
import type { AgentkOptions } from "./config/flags.ts";
import { AgentRegistration } from "./kas-link/agent-registration.ts";
import { CallMetadata } from "./kas-link/call-metadata.ts";
import { GitopsModule } from "./gitops/gitops-module.ts";
import { KasLink } from "./kas-link/kas-link.ts";
import { AgentEvents } from "./agent-events/agent-events.ts";
import { kubernetesApiMethods } from "./kubernetes-api/http-call.ts";
import { createMetrics, type Metrics } from "./observability/metrics.ts";
import { LazyModule } from "./reverse-tunnel/loading-call.ts";
import { TunnelPool } from "./reverse-tunnel/tunnel-pool.ts";
import { ServiceProxyModule } from "./service-proxy/service-proxy-module.ts";

/** How long the first configuration stream waits for the version of the cluster. */
const VERSION_WAIT_MS = 2_000;

/** What leaving may take beyond the grace period of running requests. */
const LAST_MS = 2_000;

/** A running agent. */
export interface Agent {
  /** Its events. */
  readonly agentEvents: Pick<AgentEvents, "recorded">;
  /** Opens the listener. @returns its host:port */
  listen(): Promise<string>;
  /** Settles once `signal` has aborted and the agent has taken its leave. */
  run(signal: AbortSignal): Promise<void>;
}

/** What an agent does not make itself. */
interface AgentSurroundings {
  readonly log: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** Puts an agent together. The token file must be readable now. @throws Fault `configuration_invalid` */
export function createAgent(options: AgentkOptions, access: ClusterAccess, { log, clock = systemClock }: AgentSurroundings): Agent {
  const ca = options.caCertFile === undefined ? undefined : readText(options.caCertFile, "--ca-cert-file");
  readText(options.tokenFile, "--token-file");
  const metadata = new CallMetadata(new CachedFile(options.tokenFile, clock));
  const cluster = new ClusterClient(access);
  const agentEvents = new AgentEvents(clock);
  const link = new KasLink({
    clock,
    log,
    agentEvents,
    dial: (signal) => dialHttp2(options.kasAddress, { ca, signal, proxy: options.proxy, headers: { "user-agent": PRODUCT } }),
  });
  const metrics = createMetrics({
    idleTunnels: () => pool.idle,
    busyTunnels: () => pool.busy,
    connected: () => link.session !== undefined,
  });
  const requests = new OwnRequests({ cluster, clock, qps: options.kubeApiQps, burst: options.kubeApiBurst });
  const services = new ServiceProxyModule({ requests, server: access.server, clock, log, named: options.serviceEndpoints });
  const views = new LazyModule({
    name: "views",
    method: "/kas.v1.AgentViews/Connect",
    load: async () => (await import("./views/views.ts")).openViews({ requests, clock, log, agentEvents }),
  });
  const logs = new LazyModule({
    name: "logs",
    method: "/kas.v1.AgentLogs/Read",
    load: async () => (await import("./logs/logs-call.ts")).openLogs({ requests, clock, log }),
  });
  const methods = new Map([
    ...kubernetesApiMethods(cluster, (statusCode) => metrics.observeRequest(statusCode), clock),
    ...services.methods,
    ...views.methods,
    ...logs.methods,
  ]);
  const pool: TunnelPool = new TunnelPool({ link, metadata, methods, clock, log, graceMs: options.shutdownGraceMs });
  const gitops = new GitopsModule({ link, metadata, clock, log, requests, podNamespace: options.podNamespace });
  const meta = metaOf(options, (signal) => readClusterVersion(cluster, clock, signal));
  const registration = new AgentRegistration({ link, metadata, meta, clock, log });
  const ownLevel: LogLevel = options.logLevel;
  const configuration = new ConfigurationStream({
    link,
    metadata,
    clock,
    log,
    agentEvents,
    meta,
    apply: (received) => {
      log.level = logLevelOf(received) ?? ownLevel;
      gitops.configure(received);
      services.configure(received);
    },
  });
  let probes: ProbeServer | undefined;
  return {
    agentEvents,
    async listen() {
      probes = await openProbes(options, { registry: metrics.registry, log, ready: () => (link.session ? [] : ["not connected to kas"]) });
      return probes.address;
    },
    run: (signal) =>
      // The link outlives the pool: running calls may end on it. The probes answer to the last.
      runModules(
        [
          [pool, configuration, registration, gitops, views, logs],
          [link],
          [{ name: "cluster", close: () => cluster.close() }],
          probes ? [probes] : [],
        ],
        signal,
        {
          clock,
          deadlineMs: options.shutdownGraceMs + LAST_MS,
        },
      ),
  };
}

/** Describes this agent; the version of the cluster is requested until it is known, and each call waits for it for `VERSION_WAIT_MS`. */
function metaOf(
  options: AgentkOptions,
  readVersion: (signal: AbortSignal) => Promise<ClusterVersion | undefined>,
): (signal: AbortSignal) => Promise<MessageInitShape<typeof AgentMetaSchema>> {
  const { podNamespace, podName } = options;
  let reading: Promise<ClusterVersion | undefined> | undefined;
  return async (signal) => {
    reading ??= readVersion(AbortSignal.any([signal, AbortSignal.timeout(VERSION_WAIT_MS)]));
    const kubernetesVersion = await reading;
    if (kubernetesVersion === undefined) reading = undefined;
    return { version: VERSION, commitId: COMMIT, podNamespace, podName, ...(kubernetesVersion ? { kubernetesVersion } : {}) };
  };
}

/** The only listener of agentk. */
async function openProbes(
  options: AgentkOptions,
  answers: { readonly registry: Metrics["registry"]; readonly log: Logger; readonly ready: () => readonly string[] },
): Promise<ProbeServer> {
  const paths = { metrics: "/metrics", liveness: "/liveness", readiness: "/readiness" };
  try {
    return await openProbeServer({ ...options.observabilityAddress, ...answers, paths });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)} (change it with --observability-listen-address)`, {
      cause: error,
    });
  }
}

function readText(path: string, flag: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Fault("configuration_invalid", `${flag}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
