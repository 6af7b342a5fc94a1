import { duration, loadConfig } from "@binnacle/config";
import { edgesBefore } from "@binnacle/environment-view";
import { EDGE_PACKS, parseCustomEdges, type CustomEdgeRule } from "@binnacle/graph";
import { parseTrustedProxies } from "@binnacle/rpc";
import { outgoingProxyFor } from "@binnacle/rpc/outgoing-proxy";
import { z } from "zod";

import { featuresSchema } from "./features.ts";
import { hasPlainPrefix } from "../base/path-prefix.ts";
import { pemFile, privateKeyFile, rulesFile, sessionKeyFile, sharedSecretFile } from "./config-files.ts";
import { secretRuleProblem } from "./custom-edges.ts";
import { proxyAddress } from "./proxy-address.ts";
import { signInSchema, withProxy } from "./sign-in.ts";

const url = z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), "must be an http or https URL");
const hostPort = z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):\d{1,5}$/, "must be host:port");

/** Only one origin, as browsers write it: a wildcard would open more, and a semicolon would end the directive it stands in. */
const origin = z
  .string()
  .refine(
    (text) => /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    "must be an origin, https://host or https://host:port",
  );
const addressRange = z.string().refine(isTrustedProxy, "must be an IP address or a range in CIDR notation, 10.0.0.0/8");

const MIB = 1024 * 1024;
const LEAST_POLL_MS = 1_000;
const byteCount = z.number().int().min(MIB);

const customEdges = z.unknown().transform((value, context) => {
  const { rules, problems } = parseCustomEdges(value);
  for (const { rule, field, message } of problems)
    context.addIssue({ code: "custom", message: [rule, field, message].filter(Boolean).join(": ") });
  const unread = rules.flatMap((rule) => {
    const problem = secretRuleProblem(rule);
    return problem ? [`${rule.id}: ${problem.field}: ${problem.message}`] : [];
  });
  for (const message of unread) context.addIssue({ code: "custom", message });
  return problems.length === 0 && unread.length === 0 ? rules : z.NEVER;
});

/** A switch for each pack; what a cluster does not serve costs nothing. */
const edgePacks = z
  .strictObject(
    Object.fromEntries(EDGE_PACKS.map(({ name, about }) => [packKey(name), z.boolean().default(true).meta({ description: about })])),
  )
  .prefault({});

/** Keys of the configuration have underscores. */
function packKey(name: string): string {
  return name.replaceAll("-", "_");
}

/** Rules of edges beside the catalogue: the operator's own, then of the packs that are on what those leave in force. */
export function edgeRulesOf({ packs, custom_edges }: WebConfig["graph"]): readonly CustomEdgeRule[] {
  const on = EDGE_PACKS.filter(({ name }) => packs[packKey(name)] === true);
  return edgesBefore(
    custom_edges,
    on.flatMap(({ rules }) => rules),
  );
}

const listenSchema = z
  .strictObject({
    address: hostPort.default("127.0.0.1:3000").meta({ description: "host:port to listen on; port 0 takes a free one" }),
    certificate_file: pemFile.optional().meta({ description: "PEM certificate chain; with it the dashboard speaks https; see below" }),
    key_file: privateKeyFile.optional().meta({ description: "PEM key of the certificate; see below" }),
  })
  .refine(
    (listen) => (listen.certificate_file === undefined) === (listen.key_file === undefined),
    "certificate_file and key_file belong together",
  );

const mainApplicationSchema = z
  .strictObject({
    provider: z
      .enum(["gitlab", "standalone"])
      .default("gitlab")
      .meta({ description: "GitLab, or the files of an organization; see below" }),
    name: z.string().min(1).default("GitLab").meta({ description: "Its name in sentences for people" }),
    external_url: url.meta({ description: "What browsers call the main application; with standalone the dashboard's own address" }),
    internal_url: url.optional().meta({ description: "Where this process dials it; default: external_url" }),
    proxy: proxyAddress.optional().meta({
      description:
        "HTTP proxy to the main application, http(s)://[user:password@]host[:port]; wins over HTTPS_PROXY, HTTP_PROXY and NO_PROXY",
    }),
    troubleshooting_url: url.meta({ description: "The page that refusals link to" }),
    poll_period: duration
      .prefault("30s")
      .refine((ms) => ms >= 1_000, "once a second at the most")
      .meta({ description: "How often an open page asks it for environments and what was deployed to them" }),
    organization: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "With standalone: main_application.organization of kas, a YAML file or a folder of such files; read every 5s" }),
    state_file: z.string().min(1).optional().meta({
      description:
        "With standalone: where this process keeps personal access tokens of users, JSON with their hashes; kas reads it; none: the page shows lines to paste",
    }),
    web_secret_file: sharedSecretFile.optional().meta({
      description:
        "With standalone: main_application.users.web_secret_file of kas, which checks passwords of the organization's users; either this or sign_in.oidc",
    }),
  })
  .refine(
    ({ provider, organization, state_file: state, web_secret_file: secret }) =>
      provider === "standalone"
        ? organization !== undefined && (state === undefined || secret !== undefined)
        : organization === undefined && secret === undefined && state === undefined,
    "organization, web_secret_file and state_file belong to provider standalone, which needs the first; state_file needs web_secret_file",
  );

/** Keys of web.yaml; unknown ones are errors. Files are read: each comes with what it held at the start, a secret as `Secret`. */
export const webConfigSchema = z
  .strictObject({
    listen: listenSchema.prefault({}),
    external_url: url
      .refine((text) => !URL.canParse(text) || hasPlainPrefix(text), "must be scheme, host and plain path segments, https://host/one/two")
      .meta({ description: "What browsers call the dashboard; its path is the prefix of every address, and no proxy may take it off" }),
    frame_ancestors: z.array(origin).default([]).meta({
      description:
        "Origins whose pages may show the dashboard in a frame; none when empty. On the same site only: browsers send no session to others",
    }),
    trusted_proxies: z
      .array(addressRange)
      .default([])
      .meta({ description: "Addresses and ranges whose X-Forwarded-For is believed; empty: the peer of the connection is the client" }),
    main_application: mainApplicationSchema,
    kas: z.strictObject({
      external_url: url.meta({ description: "Base URL of the k8s-proxy with its prefix, as the world calls it" }),
      internal_url: url.optional().meta({ description: "Where this process dials it; default: external_url" }),
      agent_address: z
        .string()
        .regex(/^(?:grpcs?|wss?):\/\/[\w.:[\]-]+(?:\/[\w./~%-]*)?$/, "must be grpc(s):// or ws(s):// with host, port and path")
        .optional()
        .meta({
          description: "What agentk dials, its --kas-address; it stands in the install command of new agents; none: people fill it in",
        }),
      manifest_reader_secret_file: sharedSecretFile.optional().meta({
        description:
          "agent.kubernetes_api.manifest_reader_secret_file of kas: it lets viewers who may read a manifest project see files and lines",
      }),
    }),
    session: z
      .strictObject({
        secret_file: sessionKeyFile.optional().meta({
          description: "One or two session keys, a line each: 32 bytes in base64; none: a key of this process alone; see below",
        }),
        peers: z.array(url).default([]).meta({
          description:
            "Base URLs of the other web processes with the path of external_url, a name for all its addresses: they are notified of sign-outs; see below",
        }),
      })
      .prefault({}),
    sign_in: signInSchema.prefault({}),
    graph: z
      .strictObject({
        custom_edges: customEdges
          .prefault([])
          .meta({ description: "Edges of your own: a list of {id, from, class, path, to} and other forms, see packages/graph" }),
        packs: edgePacks,
      })
      .prefault({}),
    gitops: z
      .strictObject({
        poll_period: duration
          .prefault("10s")
          .refine((ms) => ms >= LEAST_POLL_MS, "once a second at the most")
          .meta({
            description: "How often an open page asks kas what is deployed from Git; the cluster, for Flux and Argo CD, half as long again",
          }),
      })
      .prefault({}),
    features: featuresSchema,
    metrics: z
      .strictObject({
        service: z
          .string()
          .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)?$/, "is no name of an entry: small letters, digits and hyphens, 63 at most")
          .default("prometheus")
          .meta({
            description: "Entry of agents' `services` that is queried for metrics of workloads, as the viewer; empty: metrics.k8s.io alone",
          }),
      })
      .prefault({}),
    health_rules: z
      .strictObject({
        argocd_namespace: z
          .string()
          .default("argocd")
          .meta({ description: "Namespace of Argo CD, whose argocd-cm is read as the viewer; empty: not read" }),
        flux: z.boolean().default(true).meta({ description: "Read healthCheckExprs of Flux's Kustomizations as the viewer" }),
        poll_period: duration
          .refine((milliseconds) => milliseconds >= LEAST_POLL_MS, "a cluster is queried at most once a second")
          .prefault("60s")
          .meta({ description: "How often the rules of a cluster are read, for each view of it; 1s at the least" }),
        file: rulesFile
          .optional()
          .meta({ description: "YAML with rules for every cluster: an argocd-cm manifest, or healthCheckExprs; read at the start" }),
      })
      .prefault({}),
    views: z
      .strictObject({
        of_agents: z.enum(["never", "prefer"]).default("prefer").meta({
          description: "Whether environments are shown as their agent keeps them where it offers that, instead of read over the k8s-proxy",
        }),
        bytes: byteCount
          .default(128 * MIB)
          .meta({ description: "Bytes of objects that one view keeps; a kind that finds no room is shown in part and says so" }),
        process_bytes: byteCount
          .default(256 * MIB)
          .meta({ description: "Bytes of objects that all views keep together, and once more of answers that are being read" }),
      })
      .prefault({}),
    ca_certificate_file: pemFile
      .optional()
      .meta({ description: "PEM authority of the main application's and kas's certificates; see below" }),
    observability: z
      .strictObject({
        listen: z
          .strictObject({
            address: hostPort
              .default("127.0.0.1:3001")
              .meta({ description: "host:port of /metrics and of /healthz and /readyz with their reasons; not for the world" }),
          })
          .prefault({}),
        audit: z
          .strictObject({
            enabled: z.boolean().default(true).meta({ description: "Whether actions, terminals and reads of logs are recorded" }),
            file: z
              .string()
              .min(1)
              .optional()
              .meta({ description: 'Where records are appended; absent: lines on standard output with "audit": true' }),
          })
          .prefault({}),
      })
      .prefault({}),
    shutdown: z
      .strictObject({
        not_ready: duration.prefault("3s").meta({ description: "How long /readyz says no, and everything is still served, after SIGTERM" }),
        deadline: duration
          .prefault("25s")
          .meta({ description: "What leaving may take in all after SIGTERM; keep terminationGracePeriodSeconds above it" }),
      })
      .prefault({}),
    log: z
      .strictObject({
        level: z
          .enum(["error", "warn", "info", "debug", "silent"])
          .default("info")
          .meta({ description: "Least urgent level that is printed" }),
      })
      .prefault({}),
  })
  .refine(
    ({ main_application: { provider, web_secret_file: secret }, sign_in: { oidc } }) =>
      provider === "gitlab" || (secret === undefined) !== (oidc === undefined),
    "provider standalone needs either main_application.web_secret_file, for users with passwords, or sign_in.oidc",
  );

/** What web.yaml says, checked, with its files read. */
export type WebConfig = z.output<typeof webConfigSchema>;

/**
 * Reads web.yaml, `WEB__…` variables over it. The proxies to the main application and to the provider of sign-ins are those of the environment
 * where the file names none.
 *
 * @throws ConfigError with every problem at once; Fault `configuration_invalid` for a proxy of the environment that is none
 */
export function loadWebConfig(file: string, env: Readonly<Record<string, string | undefined>>): WebConfig {
  const config = loadConfig({ schema: webConfigSchema, file, env, envPrefix: "WEB" });
  const { proxy = outgoingProxyFor(new URL(addressesOf(config).mainApplication.internalUrl), { env }) } = config.main_application;
  return { ...config, sign_in: withProxy(config.sign_in, env), main_application: { ...config.main_application, proxy } };
}

/** The upstreams with the defaults of their internal addresses filled in. */
export function addressesOf(config: Pick<WebConfig, "main_application" | "kas">): {
  readonly mainApplication: Addresses;
  readonly kas: Addresses;
} {
  return { mainApplication: addresses(config.main_application), kas: addresses(config.kas) };
}

interface Addresses {
  readonly externalUrl: string;
  readonly internalUrl: string;
}

function addresses(of: { external_url: string; internal_url?: string | undefined }): Addresses {
  return { externalUrl: of.external_url, internalUrl: of.internal_url ?? of.external_url };
}

function isTrustedProxy(text: string): boolean {
  try {
    parseTrustedProxies([text]);
    return true;
  } catch {
    return false;
  }
}
