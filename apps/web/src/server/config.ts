import { duration, loadConfig } from "@binnacle/config";
import { parseCustomEdges } from "@binnacle/graph";
import { parseTrustedProxies } from "@binnacle/rpc";
import { z } from "zod";

import { keyFile, pemFile, privateKeyFile, rulesFile } from "./config-files.ts";

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
const byteCount = z.number().int().min(MIB);

const customEdges = z.unknown().transform((value, context) => {
  const { rules, problems } = parseCustomEdges(value);
  for (const { rule, field, message } of problems)
    context.addIssue({ code: "custom", message: [rule, field, message].filter(Boolean).join(": ") });
  const unread = rules.filter(
    ({ from, path }) => from.group === "" && from.kind === "Secret" && !/^\$(\.metadata|\['metadata'])/.test(path),
  );
  for (const { id } of unread)
    context.addIssue({ code: "custom", message: `${id}: path: of Secrets only the metadata is read; begin with $.metadata` });
  return problems.length === 0 && unread.length === 0 ? rules : z.NEVER;
});

const listenSchema = z
  .strictObject({
    address: hostPort.default("127.0.0.1:3000").meta({ description: "host:port to listen on; port 0 takes a free one" }),
    certificate_file: pemFile.optional().meta({ description: "PEM certificate chain; with it the dashboard speaks https" }),
    key_file: privateKeyFile.optional().meta({ description: "PEM key of the certificate" }),
  })
  .refine(
    (listen) => (listen.certificate_file === undefined) === (listen.key_file === undefined),
    "certificate_file and key_file belong together",
  );

/** Keys of web.yaml; unknown ones are errors. Files are read: a certificate is its text, a secret is a `Secret`. */
export const webConfigSchema = z.strictObject({
  listen: listenSchema.prefault({}),
  external_url: url.meta({ description: "What browsers call the dashboard" }),
  frame_ancestors: z
    .array(origin)
    .default([])
    .meta({ description: "Origins whose pages may show the dashboard in a frame; none when empty" }),
  trusted_proxies: z
    .array(addressRange)
    .default([])
    .meta({ description: "Addresses and ranges whose X-Forwarded-For is believed; empty: the peer of the connection is the client" }),
  main_application: z.strictObject({
    name: z.string().min(1).default("GitLab").meta({ description: "Its name in sentences for people" }),
    external_url: url.meta({ description: "What browsers call the main application" }),
    internal_url: url.optional().meta({ description: "Where this process dials it; default: external_url" }),
    troubleshooting_url: url.meta({ description: "The page that refusals link to" }),
  }),
  kas: z.strictObject({
    external_url: url.meta({ description: "Base URL of the k8s-proxy with its prefix, as the world calls it" }),
    internal_url: url.optional().meta({ description: "Where this process dials it; default: external_url" }),
  }),
  session: z.strictObject({
    secret_file: keyFile.meta({ description: "File with 32 bytes in base64; seals the server-side sessions" }),
  }),
  graph: z
    .strictObject({
      custom_edges: customEdges
        .prefault([])
        .meta({ description: "Edges of your own: a list of {id, from, class, path, to}, see packages/graph" }),
    })
    .prefault({}),
  health_rules: z
    .strictObject({
      argocd_namespace: z
        .string()
        .default("argocd")
        .meta({ description: "Namespace of Argo CD, whose argocd-cm is read as the viewer; empty: not read" }),
      flux: z.boolean().default(true).meta({ description: "Read healthCheckExprs of Flux's Kustomizations as the viewer" }),
      file: rulesFile.optional().meta({ description: "YAML with rules for every cluster: an argocd-cm manifest, or healthCheckExprs" }),
    })
    .prefault({}),
  views: z
    .strictObject({
      bytes: byteCount
        .default(64 * MIB)
        .meta({ description: "Bytes of objects that one view keeps; a kind that finds no room is shown in part and says so" }),
      process_bytes: byteCount
        .default(256 * MIB)
        .meta({ description: "Bytes of objects that all views keep together, and once more of answers that are being read" }),
    })
    .prefault({}),
  ca_certificate_file: pemFile.optional().meta({ description: "PEM authority of the main application's and kas's certificates" }),
  observability: z
    .strictObject({
      listen: z
        .strictObject({
          address: hostPort
            .default("127.0.0.1:3001")
            .meta({ description: "host:port of /metrics and of /healthz and /readyz with their reasons; not for the world" }),
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
});

/** What web.yaml says, checked, with its files read. */
export type WebConfig = z.output<typeof webConfigSchema>;

/** Reads web.yaml, `WEB__…` variables over it. @throws ConfigError with every problem at once */
export function loadWebConfig(file: string, env: Readonly<Record<string, string | undefined>>): WebConfig {
  return loadConfig({ schema: webConfigSchema, file, env, envPrefix: "WEB" });
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
