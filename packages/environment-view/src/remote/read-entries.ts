import { JsonFields, parseJson } from "@binnacle/proto/read-json";
import { boundedText } from "@binnacle/proto/read-message";

import type { SettledState, ViewConnection, ViewSource, ViewStaleness } from "../stream/view-model.ts";

/** As many as a scope names, and one for all others. */
const MAX_SOURCES = 5_001;
/** Characters of an id. */
const MAX_ID = 1_024;

const SETTLED = ["live", "forbidden", "unserved", "truncated", "error"] as const satisfies readonly SettledState[];
const CAUSES = ["way", "error", "sampled"] as const satisfies readonly ViewStaleness["cause"][];
const STATES = [
  "connecting",
  "connected",
  "reconnecting",
  "agent_offline",
  "kas_unreachable",
  "api_down",
] as const satisfies readonly ViewConnection["state"][];

/** The entries of a view that are in JSON, wherever it was made. */
export interface JsonEntries {
  entries(): readonly { readonly key: string; readonly value: Uint8Array }[];
  get(key: string): Uint8Array | undefined;
}

/** The sources of a view. One that cannot be read is there, and nothing is known of it. */
export function readSources(table: JsonEntries): ViewSource[] {
  const entries = table.entries().filter(({ key }) => key.startsWith("s/"));
  return entries.slice(0, MAX_SOURCES).map(({ key, value }) => readSource(key.slice(2), value));
}

/** How the view is connected; `undefined` when it does not say so, or nothing that can be read. */
export function readConnection(table: JsonEntries): ViewConnection | undefined {
  const fields = fieldsAt(table, "connection");
  const [state, sinceMs, words] = [fields.word("state", STATES), fields.time("sinceMs"), fields.words("words")];
  return state === undefined || sinceMs === undefined ? undefined : { state, sinceMs, ...(words && { words }) };
}

/** Whether the view says that everything was read once. */
export function readComplete(table: JsonEntries): boolean {
  const value = table.get("complete");
  return value !== undefined && parseJson(value) === true;
}

/** How many there are; 0 when the view does not say so. */
export function readTotal(table: JsonEntries): number {
  const value = table.get("total");
  return new JsonFields({ total: value && parseJson(value) }).count("total");
}

function readSource(named: string, value: Uint8Array): ViewSource {
  const fields = new JsonFields(parseJson(value));
  const id = boundedText(named, MAX_ID);
  const [group, resource, namespace] = partsOf(id);
  const [stale, words] = [readStaleness(fields.get("stale")), fields.words("words")];
  // A kind whose age cannot be read has an unknown state.
  const settled = stale === "unreadable" ? undefined : fields.word("settled", SETTLED);
  const [asOfMs, retryAtMs] = [fields.time("asOfMs"), fields.time("retryAtMs")];
  return {
    id,
    // They are its id, by which it leaves.
    group,
    version: fields.text("version"),
    resource,
    kind: fields.text("kind") || resource,
    namespace,
    ...(settled && { settled }),
    ...(stale !== undefined && stale !== "unreadable" && { stale }),
    ...(asOfMs !== undefined && { asOfMs }),
    shown: fields.count("shown"),
    total: fields.count("total"),
    ...(words && { words }),
    ...(retryAtMs !== undefined && { retryAtMs }),
    // A gap is one of what counts.
    countsForHealth: fields.get("countsForHealth") !== false,
  };
}

function readStaleness(value: unknown): ViewStaleness | "unreadable" | undefined {
  if (value === undefined) return undefined;
  const fields = new JsonFields(value);
  const [sinceMs, cause, words] = [fields.time("sinceMs"), fields.word("cause", CAUSES), fields.words("words")];
  if (sinceMs === undefined || cause === undefined || words === undefined) return "unreadable";
  const everyMs = fields.count("everyMs");
  return { sinceMs, cause, words, ...(everyMs > 0 && { everyMs }) };
}

function partsOf(id: string): readonly [string, string, string] {
  const [group = "", resource = "", namespace = ""] = id.split("/");
  return [group, resource, namespace];
}

function fieldsAt(table: JsonEntries, key: string): JsonFields {
  const value = table.get(key);
  return new JsonFields(value && parseJson(value));
}
