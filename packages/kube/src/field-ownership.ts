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
  /** Outside of the status; the newest first, and only so many. */
  readonly others: readonly OtherField[];
}

interface Entry {
  readonly manager: string;
  readonly isAutoscaler: boolean;
  readonly atMs: number | undefined;
  readonly fields: Fields;
}

/** Items of a list that are searched for one name; in longer lists no owner is found. */
const MAX_ITEMS = 500;

/** Reads it out of `managedFields`. @param pool shares texts between objects */
export function ownershipOf(managedFields: unknown, pool: TextSharing): FieldOwnership {
  const own = appliedEntryOf(listOf(managedFields).slice(0, MAX_ENTRIES));
  const applied = own && sumOf(own);
  const others: OtherField[] = [];
  forEachOther(managedFields, own, (path, { manager, atMs, isAutoscaler }) => {
    const byDesign = isAutoscaler && path === REPLICAS;
    others.push({ path: pool.share(path), manager, ...(atMs !== undefined && { atMs }), ...(byDesign && { byDesign }) });
    return others.length < MAX_OTHERS;
  });
  return { ...(applied && { applied }), others };
}

/** Which of some fields others own and agentk does not. @param names as `shownPath` writes them @returns paths as of `OtherField` */
export function othersNamed(object: unknown, names: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  const { managedFields } = fieldsAt(object, "metadata");
  const own = appliedEntryOf(listOf(managedFields).slice(0, MAX_ENTRIES));
  if (names.size === 0) return found;
  forEachOther(managedFields, own, (path) => {
    if (names.has(shownPath(path))) found.push(path);
    return true;
  });
  return found;
}

/** Calls `visit` for each field outside of the status that others own and agentk does not, until it says that this is enough. */
function forEachOther(managedFields: unknown, own: Fields | undefined, visit: (path: string, entry: Entry) => boolean): void {
  const entries = listOf(managedFields).slice(0, MAX_ENTRIES).filter(isFields);
  let goOn = true;
  for (const entry of entries.filter(isOther).map(entryOf).toSorted(byTime)) {
    forEachOwned(entry.fields, (parts) => {
      if (!goOn || (own !== undefined && owns(fieldsAt(own, "fieldsV1"), parts))) return;
      const path = parts.join(SEPARATOR);
      if (path.length <= MAX_PATH_CHARS) goOn = visit(path, entry);
    });
    if (!goOn) return;
  }
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

/**
 * Whether a set of fields has a path, or something that it lies in as a whole.
 *
 * @param owned `fieldsV1` of an entry of `managedFields`
 * @param path names of fields and items, as `splitFieldPath` gives them
 * @see Kubernetes reference, "Server-Side Apply", "Field management"
 */
export function ownsField(owned: Fields, path: readonly string[]): boolean {
  let fields: Fields = owned;
  for (const [depth, part] of path.entries()) {
    const below = belowOf(fields, part);
    // Atomic lists and maps are owned as one.
    if (below === undefined) return depth > 0 && Object.keys(fields).length === 0;
    fields = below;
  }
  return true;
}

/** What is owned at a path and below: empty for a value, a list or a map that is owned as one; `undefined` when it is not owned by itself. */
export function ownedAt(owned: Fields, path: readonly string[]): Fields | undefined {
  return path.reduce<Fields | undefined>((fields, part) => fields && belowOf(fields, part), owned);
}

/** What is owned below a name: of a field, of an item by one of its keys, or by its place. */
function belowOf(fields: Fields, part: string): Fields | undefined {
  const below = fields[`f:${part}`] ?? fields[`i:${part}`];
  if (isFields(below)) return below;
  let looked = 0;
  for (const name in fields) {
    const value = name.startsWith("k:") ? fields[name] : undefined;
    if (!isFields(value)) continue;
    if (hasKey(name.slice(2), part)) return value;
    if ((looked += 1) >= MAX_ITEMS) return undefined;
  }
  return undefined;
}

function hasKey(json: string, part: string): boolean {
  try {
    return Object.values(Object(JSON.parse(json))).some((value) => String(value) === part);
  } catch {
    return false;
  }
}
