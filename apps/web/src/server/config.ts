import { readFileSync } from "node:fs";

import type { LogLevel } from "@binnacle/telemetry";
import { Secret } from "@binnacle/telemetry";
import { parse } from "yaml";
import { z } from "zod";

const url = z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), "must be an http or https URL");
const hostPort = z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):\d{1,5}$/, "must be host:port");

/** Keys of web.yaml; unknown ones are errors. */
export const webConfigSchema = z.strictObject({
  listen: z.strictObject({
    address: hostPort.default("127.0.0.1:3000").meta({ description: "host:port to listen on; port 0 takes a free one" }),
    certificate_file: z.string().optional().meta({ description: "PEM certificate chain; with it the dashboard speaks https" }),
    key_file: z.string().optional().meta({ description: "PEM key of the certificate" }),
  }),
  external_url: url.meta({ description: "What browsers call the dashboard" }),
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
    secret_file: z.string().meta({ description: "File with 32 bytes in base64; seals the server-side sessions" }),
  }),
  ca_certificate_file: z.string().optional().meta({ description: "PEM authority of the main application's and kas's certificates" }),
  log: z.strictObject({ level: z.enum(["error", "warn", "info", "debug", "silent"]).default("info") }).prefault({}),
});

/** What web.yaml says, checked. */
export type WebConfigFile = z.infer<typeof webConfigSchema>;

/** The configuration with its secrets read. */
export interface WebConfig extends WebConfigFile {
  /** base64, 32 bytes. */
  readonly sessionSecret: Secret;
}

/** A configuration that cannot be used; one line per error, each with its path. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

/** Reads web.yaml and the files it names. @throws ConfigurationError with every error at once */
export function loadWebConfig(file: string): WebConfig {
  let document: unknown;
  try {
    document = parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigurationError(`${file}: ${error instanceof Error ? error.message : "cannot be read"}`, { cause: error });
  }
  const parsed = webConfigSchema.safeParse(document);
  const problems = parsed.success ? consistencyProblems(parsed.data) : parsed.error.issues.flatMap(issueLines);
  const secret = parsed.success ? readSecret(parsed.data.session.secret_file, problems) : undefined;
  if (!parsed.success || problems.length > 0 || !secret)
    throw new ConfigurationError(problems.map((line) => `${file}: ${line}`).join("\n"));
  return { ...parsed.data, sessionSecret: secret };
}

function issueLines(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join(".");
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => `${path === "" ? key : `${path}.${key}`}: unknown key`);
  return [`${path === "" ? "(root)" : path}: ${issue.message}`];
}

function consistencyProblems(config: WebConfigFile): string[] {
  const problems: string[] = [];
  const { certificate_file, key_file } = config.listen;
  if ((certificate_file === undefined) !== (key_file === undefined)) problems.push("listen: certificate_file and key_file belong together");
  return problems;
}

function readSecret(file: string, problems: string[]): Secret | undefined {
  try {
    const text = readFileSync(file, "utf8").trim();
    if (Buffer.from(text, "base64").length === 32) return new Secret(text);
    problems.push(`session.secret_file: ${file} must hold 32 bytes in base64`);
  } catch {
    problems.push(`session.secret_file: ${file} cannot be read`);
  }
  return undefined;
}

/** The same addresses with the defaults of the internal ones filled in. */
export function addressesOf(config: WebConfigFile): { readonly mainApplication: Addresses; readonly kas: Addresses } {
  const { main_application, kas } = config;
  return {
    mainApplication: {
      externalUrl: main_application.external_url,
      internalUrl: main_application.internal_url ?? main_application.external_url,
    },
    kas: { externalUrl: kas.external_url, internalUrl: kas.internal_url ?? kas.external_url },
  };
}

interface Addresses {
  readonly externalUrl: string;
  readonly internalUrl: string;
}

/** Level of the log. */
export function logLevelOf(config: WebConfigFile): LogLevel {
  return config.log.level;
}
