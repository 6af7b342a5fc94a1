import { X509Certificate } from "node:crypto";

import type { MessageInitShape } from "@bufbuild/protobuf";
import { duration, type ConfigError } from "@binnacle/config";
import type { ServiceOptionsSchema } from "@binnacle/proto/agent-options";
import { z } from "zod";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const label = z.string().regex(LABEL, "is no name of Kubernetes: small letters, digits and hyphens, 63 at most");
/** Nothing in it reads differently once it is encoded or decoded. */
const PLAIN_PATH = /^\/(?:[A-Za-z0-9_~.-]+\/)*[A-Za-z0-9_~.-]*$/;

const roles = z.strictObject({
  id: z.int().positive().meta({ description: "Id of the project or group" }),
  roles: z
    .array(z.enum(["guest", "planner", "reporter", "developer", "maintainer", "owner", "ci_job"]))
    .min(1)
    .meta({ description: "One of them is enough; `ci_job` is what a job has in its own project and groups" }),
});

const access = z.strictObject({
  users: z.array(z.string().min(1)).default([]).meta({ description: "User names in the main application" }),
  groups: z.array(roles).default([]).meta({ description: "Roles in groups that grant access to the agent (`user_access`, `ci_access`)" }),
  projects: z.array(roles).default([]).meta({ description: "Roles in projects that grant access to the agent" }),
});

const service = z.strictObject({
  name: label.meta({ description: "Name in addresses: `<prefix>/-/services/<name>/`" }),
  namespace: label.meta({ description: "Namespace of the Service" }),
  service: label.optional().meta({ description: "Name of the Service" }),
  discover: z
    .enum(["prometheus"])
    .optional()
    .meta({ description: "Instead of `service`: the one Service of the namespace that bears the labels of this tool's operator" }),
  port: z
    .union([z.int().min(1).max(65_535), z.string().regex(/^(?=.*[a-z])[a-z0-9-]{1,15}$/, "is neither the number nor the name of a port")])
    .optional()
    .meta({ description: "Number or name of the port, as the Service has it" }),
  scheme: z.enum(["http", "https"]).default("http").meta({ description: "Whether the service speaks TLS" }),
  ca_certificate: z.string().optional().meta({ description: "PEM authorities that sign its certificate; without it those of the system" }),
  path_prefix: z
    .string()
    .regex(PLAIN_PATH, "is no plain absolute path")
    .refine((path) => !path.split("/").some((segment) => segment === "." || segment === ".."), "has dot segments")
    .default("/")
    .meta({ description: "Only this path, and what is below it, may be requested" }),
  methods: z
    .array(z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]))
    .min(1)
    .default(["GET", "HEAD"])
    .meta({ description: "HTTP methods that may be used" }),
  upgrades: z.boolean().default(false).meta({ description: "Whether WebSockets may be opened to it" }),
  answer_within: duration
    .refine((ms) => ms >= 1_000 && ms <= 60_000, "must be from 1s to 1m")
    .prefault("30s")
    .meta({ description: "The answer must begin so soon" }),
  raw: access.prefault({}).meta({ description: "Who may send arbitrary requests; default: no one" }),
  metrics: z
    .boolean()
    .default(false)
    .meta({ description: "Whether it is a Prometheus whose metrics of a workload are shown to users who may list its pods" }),
});

/** The key `services` of an agent's options. */
export const servicesSchema = z
  .array(service)
  .default([])
  .meta({ description: "Services of the cluster that may be reached; no other may" });

type Service = z.output<typeof service>;

/** What is wrong with entries beside their single values. */
export function servicesProblems(services: readonly Service[]): ConfigError["problems"] {
  return services.flatMap((entry, index) =>
    problemsOfEntry(entry, services.slice(0, index)).map(([key, message]) => ({ path: `services.${index}.${key}`, message })),
  );
}

function problemsOfEntry(entry: Service, before: readonly Service[]): (readonly [key: string, message: string])[] {
  const problems: (readonly [string, string])[] = [];
  const { raw } = entry;
  if (before.some(({ name }) => name === entry.name)) problems.push(["name", `${entry.name} stands there twice`]);
  if ((entry.service === undefined) === (entry.discover === undefined))
    problems.push(["service", "exactly one of service and discover is needed"]);
  if (entry.service !== undefined && entry.port === undefined) problems.push(["port", "is needed with service"]);
  if (entry.ca_certificate !== undefined && entry.scheme !== "https") problems.push(["ca_certificate", "is for scheme https"]);
  if (entry.ca_certificate !== undefined && !isCertificate(entry.ca_certificate))
    problems.push(["ca_certificate", "is no PEM certificate"]);
  if (!entry.metrics && raw.users.length + raw.groups.length + raw.projects.length === 0)
    problems.push(["raw", "names no user, group or project, and metrics is not on: the entry could not be used"]);
  return problems;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** An entry as agentk gets it. */
export function serviceMessageOf(entry: Service): MessageInitShape<typeof ServiceOptionsSchema> {
  const rolesOf = (list: Service["raw"]["groups"]) => list.map(({ id, roles: names }) => ({ id: BigInt(id), roles: names }));
  return {
    name: entry.name,
    namespace: entry.namespace,
    service: entry.service ?? "",
    discover: entry.discover ?? "",
    port: String(entry.port ?? ""),
    scheme: entry.scheme,
    caCertificate: entry.ca_certificate ?? "",
    pathPrefix: entry.path_prefix,
    methods: entry.methods,
    upgrades: entry.upgrades,
    answerWithinSeconds: Math.ceil(entry.answer_within / 1_000),
    raw: { users: entry.raw.users, groups: rolesOf(entry.raw.groups), projects: rolesOf(entry.raw.projects) },
    metrics: entry.metrics,
  };
}
