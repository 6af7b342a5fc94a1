import { readFileSync } from "node:fs";

import { dialHttp2 } from "@binnacle/grpc-wire";
import { Fault, runModules, systemClock } from "@binnacle/rpc";
import { openProbeServer, type Logger, type LogLevel, type ProbeServer } from "@binnacle/telemetry";

import type { Registry } from "prom-client";

import { ConfigurationStream } from "./agent-configuration/configuration-stream.ts";
import { logLevelOf } from "./agent-configuration/log-level.ts";
import { COMMIT, PRODUCT, VERSION } from "./build-info.ts";
import { CachedFile } from "./cached-file.ts";
import type { ClusterAccess } from "./cluster-access/cluster-access.ts";
import { ClusterClient } from "./cluster-access/cluster-client.ts";
import { readClusterVersion } from "./cluster-access/cluster-version.ts";
import type { AgentkOptions } from "./config/flags.ts";
import { CallMetadata } from "./kas-link/call-metadata.ts";
import { GitopsModule } from "./gitops/gitops-module.ts";
import { KasLink } from "./kas-link/kas-link.ts";
import { kubernetesApiMethods } from "./kubernetes-api/make-request.ts";
import { createMetrics } from "./observability/metrics.ts";
import { TunnelPool } from "./reverse-tunnel/tunnel-pool.ts";
import { ServiceProxyModule } from "./service-proxy/service-proxy-module.ts";

/** How long the first configuration stream waits for the version of the cluster. */
const VERSION_WAIT_MS = 2_000;

/** What leaving may take beyond the grace period of running requests. */
const LAST_MS = 2_000;

/** A running agent. */
export interface Agent {
  /** Opens the listener. @returns its host:port */
  listen(): Promise<string>;
  /** Settles once `signal` has aborted and the agent has taken its leave. */
  run(signal: AbortSignal): Promise<void>;
}

/** Puts an agent together. The token file must be readable now. @throws Fault `configuration_invalid` */
export function createAgent(options: AgentkOptions, access: ClusterAccess, log: Logger): Agent {
  const clock = systemClock;
  const ca = options.caCertFile === undefined ? undefined : readText(options.caCertFile, "--ca-cert-file");
  readText(options.tokenFile, "--token-file");
  const metadata = new CallMetadata(new CachedFile(options.tokenFile, clock));
  const cluster = new ClusterClient(access);
  const link = new KasLink({
    clock,
    log,
    dial: (signal) => dialHttp2(options.kasAddress, { ca, signal, headers: { "user-agent": PRODUCT } }),
  });
  const metrics = createMetrics({
    idleTunnels: () => pool.idle,
    busyTunnels: () => pool.busy,
    connected: () => link.session !== undefined,
  });
  const services = new ServiceProxyModule({ cluster, server: access.server, clock, log, named: options.serviceEndpoints });
  const methods = new Map([...kubernetesApiMethods(cluster, (statusCode) => metrics.observeRequest(statusCode)), ...services.methods]);
  const pool: TunnelPool = new TunnelPool({ link, metadata, methods, clock, log, graceMs: options.shutdownGraceMs });
  const gitops = new GitopsModule({ link, metadata, clock, log, cluster, podNamespace: options.podNamespace });
  const ownLevel: LogLevel = options.logLevel;
  const configuration = new ConfigurationStream({
    link,
    metadata,
    clock,
    log,
    meta: async (signal) => {
      const version = await readClusterVersion(cluster, AbortSignal.any([signal, AbortSignal.timeout(VERSION_WAIT_MS)]));
      return {
        version: VERSION,
        commitId: COMMIT,
        podNamespace: options.podNamespace,
        podName: options.podName,
        ...(version ? { kubernetesVersion: version } : {}),
      };
    },
    apply: (received) => {
      log.level = logLevelOf(received) ?? ownLevel;
      gitops.configure(received);
      services.configure(received);
    },
  });
  let probes: ProbeServer | undefined;
  return {
    async listen() {
      probes = await openProbes(options, { registry: metrics.registry, log, ready: () => (link.session ? [] : ["not connected to kas"]) });
      return probes.address;
    },
    run: (signal) =>
      // The link outlives the pool: running calls may end on it. The probes answer to the last.
      runModules(
        [[pool, configuration, gitops], [link], [{ name: "cluster", close: () => cluster.close() }], probes ? [probes] : []],
        signal,
        {
          clock,
          deadlineMs: options.shutdownGraceMs + LAST_MS,
        },
      ),
  };
}

/** The only listener of agentk. */
async function openProbes(
  options: AgentkOptions,
  answers: { readonly registry: Registry; readonly log: Logger; readonly ready: () => readonly string[] },
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
