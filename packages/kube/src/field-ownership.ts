import { appliedEntryOf, forEachOwned, isApplied, sumOf, type AppliedFields } from "./applied-fields.ts";
import { fieldPath, itemPath } from "./field-path.ts";
import { fieldsAt, isFields, listOf, textAt, type Fields } from "./loose-json.ts";
import type { TextSharing } from "./string-pool.ts";

/** Fields of others that are retained for one object, those that were written last; a few are usual. */
const MAX_OTHERS = 24;
/** Characters of a path that is retained. */
const MAX_PATH_CHARS = 512;
/** The API server allows so many. */
const MAX_MANAGER_CHARS = 128;
/** Entries of `managedFields` that are read. */
const MAX_ENTRIES = 50;
/** Stands between the parts of a path: names with it lead to a path that names nothing. */
const SEPARATOR = "\n";
const REPLICAS = ["f:spec", "f:replicas"].join(SEPARATOR);
/** Writes the number of replicas for the HorizontalPodAutoscaler, and nothing else, through `scale`. */
const AUTOSCALER = "kube-controller-manager";

/** A field that a manager owns and agentk does not. */
export interface OtherField {
  /** Parts as `fieldsV1` names them, with `\n` between. */
  readonly path: string;
  readonly manager: string;
  /** When its manager wrote last, in milliseconds since the epoch; absent: the API server does not say it. */
  readonly atMs?: number;
  /** A controller writes it by design. */
  readonly byDesign?: true;
}

/** Who owns the fields of an object of an inventory, as far as drift shows in it. */
export interface FieldOwnership {
  /** What agentk owns; absent: nothing, or more than is counted. */
  readonly applied?: AppliedFields;
  /** Outside of the status, and written since agentk's last apply: newest first. */
  readonly others: readonly OtherField[];
}

interface Entry {
  readonly manager: string;
  readonly isAutoscaler: boolean;
  readonly atMs: number | undefined;
  readonly fields: Fields;
}

/** Reads it out of `managedFields`. @param pool shares texts between objects */
export function ownershipOf(managedFields: unknown, pool: TextSharing): FieldOwnership {
  const entries = listOf(managedFields).slice(0, MAX_ENTRIES).filter(isFields);
  const own = appliedEntryOf(entries);
  const applied = own && sumOf(own);
  const sinceMs = applied === undefined ? 0 : applied.atSeconds * 1_000;
  const others: OtherField[] = [];
  for (const entry of entries
    .filter((each) => isOther(each))
    .map(entryOf)
    .toSorted(byTime)) {
    if (entry.atMs !== undefined && entry.atMs < sinceMs) continue;
    forEachOwned(entry.fields, (parts) => {
      if (others.length >= MAX_OTHERS || (own !== undefined && owns(fieldsAt(own, "fieldsV1"), parts))) return;
      const path = parts.join(SEPARATOR);
      if (path.length > MAX_PATH_CHARS) return;
      const byDesign = entry.isAutoscaler && path === REPLICAS;
      others.push({
        path: pool.share(path),
        manager: entry.manager,
        ...(entry.atMs !== undefined && { atMs: entry.atMs }),
        ...(byDesign && { byDesign }),
      });
    });
  }
  return { ...(applied && { applied }), others };
}

/** The parts of a path of an `OtherField`. */
export function partsOfPath(path: string): readonly string[] {
  return path.split(SEPARATOR);
}

/** Whether a path is that of the number of replicas. */
export function isReplicas(path: string): boolean {
  return path === REPLICAS;
}

/** A path as people read it: "spec.template.spec.containers[web].image". Items with several keys have them in order: "ports[53/UDP]". */
export function shownPath(path: string): string {
  let shown = "";
  for (const part of partsOfPath(path)) {
    const name = part.slice(2);
    if (part.startsWith("f:")) shown = fieldPath(shown, name);
    else if (part.startsWith("i:")) shown = itemPath(shown, name);
    else shown = itemPath(shown, keyText(name));
  }
  return shown;
}

/** Whether a set has a field itself. */
function owns(owned: Fields, parts: readonly string[]): boolean {
  let at: unknown = owned;
  for (const part of parts) {
    at = isFields(at) ? at[part] : undefined;
    if (at === undefined) return false;
  }
  return isFields(at) && (Object.hasOwn(at, ".") || Object.keys(at).length === 0);
}

function isOther(entry: Fields): boolean {
  return !isApplied(entry) && textAt(entry, "subresource") !== "status";
}

function entryOf(entry: Fields): Entry {
  const manager = textAt(entry, "manager").slice(0, MAX_MANAGER_CHARS);
  const timeMs = Date.parse(textAt(entry, "time"));
  return {
    manager,
    isAutoscaler: manager === AUTOSCALER && textAt(entry, "subresource") === "scale",
    atMs: Number.isNaN(timeMs) ? undefined : timeMs,
    fields: fieldsAt(entry, "fieldsV1"),
  };
}

/** What has no time may be the newest. */
function byTime(a: Entry, b: Entry): number {
  return (b.atMs ?? Number.POSITIVE_INFINITY) - (a.atMs ?? Number.POSITIVE_INFINITY) || (a.manager < b.manager ? -1 : 1);
}

function keyText(json: string): string {
  try {
    const key: unknown = JSON.parse(json);
    return isFields(key) ? Object.values(key).map(String).join("/") : String(key);
  } catch {
    return json;
  }
}
