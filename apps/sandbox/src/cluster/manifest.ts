import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { parseAllDocuments } from "yaml";

/** One object of a manifest file. `status`, where there is one, is written to the status subresource. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly object: Readonly<Record<string, unknown>>;
  readonly status: unknown;
}

/**
 * Every object of the YAML files of a directory, in the order of their names. The text `$NOW` becomes the time, `$NAME` what stands under `NAME`.
 *
 * @throws naming file and problem when a document is no Kubernetes object
 */
export function readManifests(dir: string, now: Date, texts: Readonly<Record<string, string>> = {}): readonly Manifest[] {
  const known = { NOW: now.toISOString().replace(/\.\d+Z$/, "Z"), ...texts };
  const files = readdirSync(dir).filter((name) => name.endsWith(".yaml"));
  return files.sort().flatMap((name) => {
    const template = readFileSync(join(dir, name), "utf8");
    const text = Object.entries(known).reduce((made, [key, value]) => made.replaceAll(`$${key}`, () => value), template);
    return parseAllDocuments(text).map((document) => manifestOf(document.toJS(), join(dir, name)));
  });
}

function manifestOf(value: unknown, file: string): Manifest {
  if (!isRecord(value) || !isRecord(value["metadata"])) throw new Error(`${file}: a document is no Kubernetes object`);
  const { apiVersion, kind, metadata, status, ...rest } = value;
  const { name, namespace } = metadata;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || typeof name !== "string") {
    throw new Error(`${file}: apiVersion, kind or metadata.name is missing`);
  }
  return {
    apiVersion,
    kind,
    name,
    namespace: typeof namespace === "string" ? namespace : undefined,
    object: { apiVersion, kind, metadata, ...rest },
    status,
  };
}

/** Whether a value of YAML is a mapping. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
