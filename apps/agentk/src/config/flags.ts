import { isIP } from "node:net";
import { parseArgs } from "node:util";

import { Fault } from "@binnacle/rpc";
import { outgoingProxyFor, type OutgoingProxy } from "@binnacle/rpc/outgoing-proxy";
import type { LogLevel } from "@binnacle/telemetry";

/** Everything the command line and the environment say. Times in milliseconds. */
export interface AgentkOptions {
  readonly kasAddress: string;
  readonly tokenFile: string;
  readonly caCertFile: string | undefined;
  /** The way to kas alone; the cluster and its services are never reached through it. */
  readonly proxy: OutgoingProxy | undefined;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly observabilityAddress: { readonly host: string; readonly port: number };
  readonly readyFile: string | undefined;
  readonly shutdownGraceMs: number;
  readonly logLevel: LogLevel;
  /** What the agent asks by itself: requests a second, and at once after a rest. */
  readonly kubeApiQps: number;
  readonly kubeApiBurst: number;
  readonly podNamespace: string;
  readonly podName: string;
  /** Where services are that the cluster itself does not know, or that may not be reached otherwise: by "namespace/service". */
  readonly serviceEndpoints: ReadonlyMap<string, { readonly address: string; readonly port: number }>;
}

const LEVELS: readonly LogLevel[] = ["error", "warn", "info", "debug", "silent"];

/** How the program is used; printed with every wrong flag. */
export const USAGE = `usage: agentk --kas-address URL --token-file FILE
  --kas-address URL                      grpc://, grpcs://, ws:// or wss://
  --token-file FILE                      the agent's token; read again when it changes
  --ca-cert-file FILE                    PEM authorities to trust for kas, and besides the built-in ones for its proxy
  --proxy URL                            HTTP proxy to kas, http(s)://[user:password@]host[:port]; wins over HTTPS_PROXY, HTTP_PROXY and NO_PROXY
  --kubeconfig FILE, --context NAME      instead of the pod's ServiceAccount
  --kube-api-qps N                       the agent's own requests to the API server per second (default 50)
  --kube-api-burst N                     its own requests at once after a rest (default 300)
  --observability-listen-address ADDR    host:port of /metrics, /liveness, /readiness (default :8080)
  --shutdown-grace SECONDS               how long running requests may take after SIGTERM (default 5)
  --log-level LEVEL                      error, warn, info or debug (default info)
  --service-endpoint NS/NAME=IP:PORT     where a Service really is, for agents outside of the cluster; may be given more than once
  --ready-file FILE                      written when the listeners accept`;

/**
 * Reads flags and environment (POD_NAMESPACE, POD_NAME, KUBECONFIG, HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
 *
 * @returns the options, or every mistake as a sentence
 */
export function parseFlags(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AgentkOptions | { readonly errors: readonly string[] } {
  const string = { type: "string" } as const;
  let values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  try {
    values = parseArgs({
      args: [...argv],
      options: {
        "kas-address": string,
        "token-file": string,
        "ca-cert-file": string,
        proxy: string,
        kubeconfig: string,
        context: string,
        "kube-api-qps": string,
        "kube-api-burst": string,
        "observability-listen-address": string,
        "ready-file": string,
        "shutdown-grace": string,
        "log-level": string,
        "service-endpoint": { type: "string", multiple: true },
      },
    }).values;
  } catch (error) {
    return { errors: [error instanceof Error ? error.message : String(error)] };
  }
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const errors: string[] = [];
  const kasAddress = text("kas-address");
  if (kasAddress === undefined) errors.push("--kas-address is required");
  else if (!isKasAddress(kasAddress)) errors.push(`--kas-address: "${kasAddress}" is not a grpc://, grpcs://, ws:// or wss:// URL`);
  const proxy = proxyOf(kasAddress, { configured: text("proxy"), env });
  if (typeof proxy === "string") errors.push(proxy);
  const tokenFile = text("token-file");
  if (tokenFile === undefined) errors.push("--token-file is required");
  const observabilityAddress = addressOf(text("observability-listen-address") ?? ":8080");
  if (observabilityAddress === undefined) errors.push("--observability-listen-address: expected host:port");
  const graceSeconds = Number(text("shutdown-grace") ?? "5");
  if (!(graceSeconds >= 0 && graceSeconds <= 3_600)) errors.push("--shutdown-grace: expected seconds, 0 to 3600");
  const kubeApiQps = Number(text("kube-api-qps") ?? "50");
  if (!(kubeApiQps >= 1 && kubeApiQps <= 10_000)) errors.push("--kube-api-qps: expected requests per second, 1 to 10000");
  const kubeApiBurst = Number(text("kube-api-burst") ?? "300");
  if (!(Number.isInteger(kubeApiBurst) && kubeApiBurst >= 1 && kubeApiBurst <= 10_000))
    errors.push("--kube-api-burst: expected a number of requests, 1 to 10000");
  const logLevel = LEVELS.find((level) => level === (text("log-level") ?? "info"));
  if (logLevel === undefined) errors.push(`--log-level: expected one of ${LEVELS.join(", ")}`);
  const named = [values["service-endpoint"] ?? []].flat().map((value) => ({ value, endpoint: serviceEndpointOf(String(value)) }));
  for (const { value, endpoint } of named)
    if (endpoint === undefined) errors.push(`--service-endpoint: "${String(value)}" is not namespace/service=IP:port`);
  const serviceEndpoints = new Map(named.flatMap(({ endpoint }) => (endpoint ? [endpoint] : [])));
  if (serviceEndpoints.size < named.length && errors.length === 0) errors.push("--service-endpoint: a Service stands there twice");
  if (
    errors.length > 0 ||
    kasAddress === undefined ||
    tokenFile === undefined ||
    observabilityAddress === undefined ||
    logLevel === undefined ||
    typeof proxy === "string"
  )
    return { errors };
  return {
    kasAddress,
    tokenFile,
    caCertFile: text("ca-cert-file"),
    proxy,
    kubeconfig: text("kubeconfig") ?? (env["KUBECONFIG"] || undefined),
    context: text("context"),
    observabilityAddress,
    readyFile: text("ready-file"),
    shutdownGraceMs: graceSeconds * 1_000,
    logLevel,
    kubeApiQps,
    kubeApiBurst,
    podNamespace: env["POD_NAMESPACE"] ?? "",
    podName: env["POD_NAME"] ?? "",
    serviceEndpoints,
  };
}

/** @returns what is wrong, without the address: it may hold a password */
function proxyOf(kasAddress: string | undefined, source: Parameters<typeof outgoingProxyFor>[1]): OutgoingProxy | undefined | string {
  if (kasAddress === undefined || !isKasAddress(kasAddress)) return undefined;
  try {
    return outgoingProxyFor(new URL(kasAddress), source);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return source.configured === undefined ? error.message : error.message.replace("the proxy", "--proxy");
  }
}

function isKasAddress(text: string): boolean {
  return URL.canParse(text) && ["grpc:", "grpcs:", "ws:", "wss:"].includes(new URL(text).protocol) && new URL(text).hostname !== "";
}

function serviceEndpointOf(text: string): readonly [string, { address: string; port: number }] | undefined {
  const [, service, at] = /^([a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9-]*)=(.+)$/.exec(text) ?? [];
  const address = addressOf(at ?? "");
  if (service === undefined || address === undefined || address.port === 0 || isIP(address.host) === 0) return undefined;
  return [service, { address: address.host, port: address.port }];
}

function addressOf(text: string): { host: string; port: number } | undefined {
  const match = /^(.*):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (!match || port > 65_535) return undefined;
  return { host: (match[1] ?? "").replace(/^\[|\]$/g, ""), port };
}
