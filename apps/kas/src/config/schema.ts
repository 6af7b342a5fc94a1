import { certificateFileName, duration, keyFitsCertificate, passwordFileName, privateKeyFileName, secretFileName } from "@binnacle/config";
import { z } from "zod";
import { AGENT_WAIT_MS, parseTrustedProxies } from "@binnacle/rpc";
import { OutgoingProxy, PROXY_SHAPE } from "@binnacle/rpc/outgoing-proxy";

import { IGNORED } from "./ignored-keys.ts";
import { listenAddressOf, type ListenConfig } from "./listen-settings.ts";
import { notificationsSchema } from "./notifications-schema.ts";
import { standaloneSchema } from "./standalone-schema.ts";

const MIB = 1024 * 1024;
const LONGEST_WAIT = `${AGENT_WAIT_MS / 1_000}s`;

const address = (fallback: string, what: string) =>
  z
    .string()
    .default(fallback)
    .meta({ description: `host:port ${what}` });
const authorities = (whom: string) => certificateFileName.optional().meta({ description: `PEM authorities that sign ${whom}` });
const password = (what: string) => passwordFileName.optional().meta({ description: what });
const secret = (what: string) => secretFileName().meta({ description: what });
const urlPath = (fallback: string, what: string) =>
  z
    .string()
    .startsWith("/")
    .default(fallback)
    .meta({ description: `URL path of ${what}` });
const span = (fallback: string, what: string) => duration.prefault(fallback).meta({ description: what });
const count = (fallback: number, what: string) => z.int().positive().default(fallback).meta({ description: what });
const rate = (perSecond: number, bucket: number, what: string) =>
  z
    .strictObject({
      refill_rate_per_second: z
        .number()
        .positive()
        .default(perSecond)
        .meta({ description: `${what}: calls a second` }),
      bucket_size: count(bucket, `${what}: calls at once`),
    })
    .prefault({});
/** A key of the GitLab agent server that we accept, so that its configuration starts this kas, and do nothing about. @see ignoredKeys */
const ignored = <T extends z.ZodType>(type: T, why: string) => type.optional().meta({ description: `${IGNORED}${why}` });
const listenGrace = ignored(duration, "listeners stop accepting in the order of the shutdown");
const network = z.enum(["tcp", "tcp4", "tcp6", "unix"]).default("tcp").meta({ description: "tcp, or unix with a path as address" });
const tls = {
  certificate_file: certificateFileName.optional().meta({ description: "PEM certificate chain; with it TLS is spoken" }),
  key_file: privateKeyFileName.optional().meta({ description: "PEM key of the certificate" }),
};

interface TlsFiles {
  readonly certificate_file?: string | undefined;
  readonly key_file?: string | undefined;
}

/** One of certificate and key alone is a mistake, and so is a key of another certificate, wherever they stand. */
function checkTls(value: TlsFiles, context: z.RefinementCtx): void {
  const { certificate_file: certificate, key_file: key } = value;
  if (certificate !== undefined && key !== undefined) {
    if (!keyFitsCertificate(certificate, key))
      context.addIssue({ code: "custom", path: ["key_file"], message: `is not the key of ${certificate}` });
  } else if (certificate !== key) {
    const path = certificate === undefined ? "certificate_file" : "key_file";
    context.addIssue({ code: "custom", path: [path], message: "certificate_file and key_file go together" });
  }
}

/** Checks of a listener; @see alsoWhenBroken */
function checkListener(value: TlsFiles & Partial<ListenConfig>, context: z.RefinementCtx): void {
  checkTls(value, context);
  const { network, address } = value;
  if (network === undefined || typeof address !== "string") return;
  try {
    listenAddressOf({ network, address });
  } catch (error) {
    context.addIssue({ code: "custom", path: ["address"], message: error instanceof Error ? error.message : String(error) });
  }
}

/** Never printed as it was written: it may hold a password. */
const proxyAddress = z.string().transform((text, context) => {
  const proxy = OutgoingProxy.parse(text);
  if (proxy === undefined) context.addIssue({ code: "custom", message: PROXY_SHAPE });
  return proxy ?? z.NEVER;
});

/** Groups are checked as wholes although a key in them is wrong, so that one run shows every mistake. */
const alsoWhenBroken = {
  when: ({ value }: { readonly value: unknown }) => typeof value === "object" && value !== null && !Array.isArray(value),
};

const grace = span("5s", "How long running streams may go on after SIGTERM");
const grpcListen = {
  network,
  ...tls,
  listen_grace_period: listenGrace,
  max_connection_age: span("2h", "Connections receive GOAWAY at 0.8 to 1.2 times this age"),
  grace_period: grace,
};

const gitlab = z.strictObject({
  address: z.url({ protocol: /^https?$/ }).meta({ description: "Address of the main application that kas dials" }),
  external_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: "Public address of the main application: sent as Host, allowed as Origin" }),
  authentication_secret_file: secret("Base64 secret shared with the main application"),
  ca_certificate_file: authorities("the main application"),
  proxy: proxyAddress.optional().meta({
    description:
      "HTTP proxy to the main application, http(s)://[user:password@]host[:port]; wins over HTTPS_PROXY, HTTP_PROXY and NO_PROXY",
  }),
  api_rate_limit: rate(50, 250, "Calls to the main application"),
});

const agent = z
  .strictObject({
    listen: z
      .strictObject({
        ...grpcListen,
        address: address("127.0.0.1:8150", "agents dial"),
        websocket: ignored(z.boolean(), "the port takes WebSockets always"),
        connections_per_token_per_minute: count(100, "Connections and configuration streams per token and minute"),
      })
      .superRefine(checkListener, alsoWhenBroken)
      .prefault({}),
    configuration: z
      .strictObject({
        poll_period: span("20s", "How often an agent's configuration is read"),
        max_configuration_file_size: count(128 * 1024, "Largest configuration file in bytes"),
      })
      .prefault({}),
    gitops: z
      .strictObject({
        poll_period: span("20s", "How often the repository of a manifest project is looked at; a push is looked after at once"),
        project_info_cache_ttl: span("5m", "How long it is kept where a project is that an agent may read"),
        project_info_cache_error_ttl: span("1m", "How long it is kept that an agent may not"),
        max_manifest_file_size: count(5 * MIB, "Largest manifest file in bytes"),
        max_total_manifest_file_size: count(20 * MIB, "Most bytes of all manifest files of a project"),
        max_number_of_paths: count(100, "Most paths of a project"),
        max_number_of_files: count(1_000, "Most files of a project"),
      })
      .prefault({}),
    kubernetes_api: z
      .strictObject({
        listen: z
          .strictObject({
            network,
            ...tls,
            address: address("0.0.0.0:8154", "Kubernetes clients dial"),
            listen_grace_period: listenGrace,
            shutdown_grace_period: ignored(duration, "see shutdown.deadline"),
            grace_period: span("5s", "How long running requests may go on after SIGTERM"),
          })
          .superRefine(checkListener, alsoWhenBroken)
          .prefault({}),
        url_path_prefix: z.string().startsWith("/").default("/").meta({ description: "URL path in front of the Kubernetes API's own" }),
        allowed_agent_cache_ttl: span("60s", "How long a job's allowed agents are kept"),
        allowed_agent_cache_error_ttl: span("10s", "How long a refusal of a job is kept"),
        authorize_proxy_user_cache_ttl: span("60s", "How long a user's permission is kept"),
        authorize_proxy_user_cache_error_ttl: span("10s", "How long a user's refusal is kept"),
        upgrade_idle_timeout: span("1h", "How long an exec, attach, port-forward or WebSocket may carry nothing"),
        upgrade_max_duration: span("12h", "How long an exec, attach, port-forward or WebSocket may last"),
        manifest_reader_secret_file: secret(
          "Base64 secret shared with the dashboard, which signs with it who may read a manifest project; without it files and lines are never shown",
        ).optional(),
        forbid_client_impersonation: z.enum(["none", "cookie", "all"]).default("cookie").meta({
          description: "Callers whose Impersonate-* is rejected; a token under access_as: agent has every right of agentk to impersonate",
        }),
      })
      .optional()
      .meta({ description: "The Kubernetes proxy; absent: not served" }),
    info_cache_ttl: span("5m", "How long an agent's identity is kept"),
    info_cache_error_ttl: span("1m", "How long an unknown token is kept"),
    redis_conn_info_ttl: span("90s", "How long entries in Redis outlive a dead kas"),
    redis_conn_info_refresh: ignored(duration, "entries are refreshed at a third of their time to live, ± 10 %"),
    redis_conn_info_gc: ignored(duration, "each refresh of entries removes expired ones beside them"),
  })
  .prefault({});

const observability = z
  .strictObject({
    usage_reporting_period: span("60s", "How often usage is reported to the main application; 0s: never"),
    event_reporting_period: ignored(duration, "events are not reported yet"),
    tracing: ignored(z.unknown(), "traces are not exported"),
    sentry: ignored(z.unknown(), "errors are log lines"),
    google_profiler: ignored(z.unknown(), "there is no profiler"),
    listen: z
      .strictObject({
        network,
        address: address("127.0.0.1:8151", "for metrics and probes"),
        certificate_file: ignored(z.string(), "metrics and probes are served without TLS"),
        key_file: ignored(z.string(), "metrics and probes are served without TLS"),
      })
      .superRefine(checkListener, alsoWhenBroken)
      .prefault({}),
    prometheus: z.strictObject({ url_path: urlPath("/metrics", "the metrics") }).prefault({}),
    logging: z
      .strictObject({
        level: z.enum(["info", "debug", "warn", "error"]).default("info").meta({ description: "What is logged" }),
        grpc_level: ignored(z.string(), "there is one log, see level"),
      })
      .prefault({}),
    audit: z
      .strictObject({
        enabled: z.boolean().default(true).meta({ description: "Whether every proxied request is recorded" }),
        file: z
          .string()
          .min(1)
          .optional()
          .meta({ description: 'Where records are appended; absent: lines on standard output with "audit": true' }),
      })
      .prefault({}),
    liveness_probe: z.strictObject({ url_path: urlPath("/liveness", "the liveness probe") }).prefault({}),
    readiness_probe: z.strictObject({ url_path: urlPath("/readiness", "the readiness probe") }).prefault({}),
  })
  .prefault({});

const HOST_AND_PORT = /^(?:\[[^\]]+\]|[^:]+):\d{1,5}$/;

const redis = z
  .strictObject({
    server: z
      .strictObject({ address: z.string().min(1).meta({ description: "host:port of the server, or a path with network unix" }) })
      .optional()
      .meta({ description: "One server" }),
    sentinel: z
      .strictObject({
        master_name: z.string().min(1).meta({ description: "Name of the master" }),
        addresses: z
          .array(z.string().regex(HOST_AND_PORT, "is no address; write it like 127.0.0.1:26379"))
          .min(1)
          .meta({ description: "host:port of each sentinel" }),
        sentinel_password_file: password("Password of the sentinels; one line"),
      })
      .optional()
      .meta({ description: "A server found through sentinels" }),
    pool_size: ignored(z.int().positive(), "one connection is multiplexed"),
    dial_timeout: span("5s", "How long connecting may take"),
    read_timeout: span("1s", "How long a command may take"),
    write_timeout: ignored(duration, "see read_timeout"),
    idle_timeout: ignored(duration, "connections are kept"),
    key_prefix: z.string().min(1).default("gitlab-kas").meta({ description: "First part of every key" }),
    username: z.string().min(1).optional().meta({ description: "Name of the user; absent: the default user" }),
    password_file: password("File holding the password; one line"),
    network: z.enum(["", "tcp", "unix"]).default("tcp").meta({ description: "tcp, or unix with a path as address" }),
    tls: z
      .strictObject({
        enabled: z.boolean().default(false).meta({ description: "Whether TLS is spoken" }),
        ...tls,
        ca_certificate_file: authorities("the server"),
      })
      .superRefine(checkTls, alsoWhenBroken)
      .prefault({}),
  })
  .superRefine((value, context) => {
    if ((value.server === undefined) === (value.sentinel === undefined))
      context.addIssue({ code: "custom", message: "exactly one of server and sentinel must be given" });
    const address: unknown = value.server?.address;
    if (value.network !== "unix" && typeof address === "string" && !HOST_AND_PORT.test(address))
      context.addIssue({
        code: "custom",
        path: ["server", "address"],
        message: `"${address}" is no address; write it like 127.0.0.1:6379`,
      });
  }, alsoWhenBroken);

const api = z
  .strictObject({
    views: z
      .array(z.enum(["nodes", "summary"]))
      .default(["nodes", "summary"])
      .meta({ description: "Views of agents whose counts the main application may read without naming a user; for all else it names one" }),
    listen: z
      .strictObject({
        ...grpcListen,
        address: address("127.0.0.1:8153", "the main application dials"),
        authentication_secret_file: secret("Base64 secret of the JWTs"),
        allowed_issuers: z
          .array(z.string().min(1))
          .optional()
          .meta({ description: 'Accepted "iss"; default gitlab and the host of gitlab.address' }),
      })
      .superRefine(checkListener, alsoWhenBroken),
  })
  .meta({ description: "API for the main application; absent: not served" });

const privateApi = z
  .strictObject({
    listen: z
      .strictObject({
        ...grpcListen,
        address: address("127.0.0.1:8155", "other kas dial"),
        authentication_secret_file: secret("Base64 secret that all kas share"),
        previous_authentication_secret_file: secretFileName()
          .optional()
          .meta({ description: "Secret that is still accepted while it is replaced" }),
        ca_certificate_file: authorities("other kas"),
      })
      .superRefine(checkListener, alsoWhenBroken),
  })
  .meta({ description: "Listener for other kas; absent: this kas is alone" });

const failures = (perMinute: number, burst: number, what: string) =>
  z.strictObject({ per_minute: count(perMinute, `${what}: in a minute`), burst: count(burst, `${what}: at once`) }).prefault({});

const trustedProxy = z.string().superRefine((entry, context) => {
  try {
    parseTrustedProxies([entry]);
  } catch (error) {
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
  }
});

/** The whole configuration, keys as the GitLab agent server has them. */
export const kasConfigSchema = z
  .strictObject({
    gitlab: gitlab.optional(),
    main_application: standaloneSchema.optional(),
    agent,
    observability,
    gitaly: z
      .strictObject({
        global_api_rate_limit: rate(30, 70, "Calls to all Gitaly servers"),
        per_server_api_rate_limit: rate(15, 40, "Calls to one Gitaly server"),
      })
      .prefault({}),
    redis: redis.optional().meta({ description: "Shared by several kas; absent: this kas is alone" }),
    api: api.optional(),
    notifications: notificationsSchema(redis).optional(),
    private_api: privateApi.optional(),
    shutdown: z
      .strictObject({
        not_ready: span("3s", "How long kas says that it is not ready, and still serves, before it stops accepting"),
        deadline: span("25s", "What leaving may take in all after SIGTERM; keep terminationGracePeriodSeconds above it"),
      })
      .prefault({}),
    trusted_proxies: z
      .array(trustedProxy)
      .default([])
      .meta({ description: "Networks (CIDR; unix: for Unix sockets) whose X-Forwarded-For tells the client's address, on every listener" }),
    limits: z
      .strictObject({
        max_waiting_requests_per_agent: count(1_000, "Requests that may wait for one agent"),
        process_bytes: count(
          192 * MIB,
          "Bytes that may wait in this process in all: unfinished messages and data that clients do not read",
        ),
        agent_bytes: count(64 * MIB, "Of these, for one agent"),
        view_process_bytes: count(256 * MIB, "Bytes of views of agents that are cached in this process for viewers"),
        view_agent_bytes: count(64 * MIB, "Of these, for one agent"),
        user_bytes: count(32 * MIB, "Of these, for one user or job"),
        agent_wait: duration
          .pipe(z.number().max(AGENT_WAIT_MS, `is longer than ${LONGEST_WAIT}: dashboards give up soon after that`))
          .prefault(LONGEST_WAIT)
          .meta({ description: `How long a request waits for its agent, at most ${LONGEST_WAIT}: dashboards give up 5s after that` }),
        gitops_streams_per_agent_per_minute: count(200, "Waits for manifests that one agent may begin in a minute, at all kas together"),
        gitops_streams_per_minute: count(6_000, "The same of all agents"),
        failed_credentials_per_address: failures(30, 60, "Refused credentials that were not known, per client address (IPv6: per /64)"),
        failed_credentials: failures(
          600,
          600,
          "The same of all addresses; beyond it, new credentials have a third of gitlab.api_rate_limit",
        ),
        unauthenticated_connections_per_address: count(
          64,
          "gRPC connections of one address that show no credential; of more the oldest is closed. Behind a balancer all clients have its address",
        ),
      })
      .prefault({}),
  })
  .superRefine((value, context) => {
    if ((value.gitlab === undefined) === (value.main_application === undefined)) {
      const message = "exactly one of gitlab and main_application must be given";
      context.addIssue({ code: "custom", path: [value.gitlab === undefined ? "gitlab" : "main_application"], message });
    }
  }, alsoWhenBroken);

/** The configuration as the program sees it: durations in milliseconds. */
export type KasConfig = z.output<typeof kasConfigSchema>;
