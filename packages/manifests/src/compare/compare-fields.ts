import { fieldPath, isFields, itemNames, itemPath, splitFieldPath, type Fields, quantityOf } from "@binnacle/kube";

import type { ManagedEntries } from "./managed-entries.ts";

/** Fields that are looked at in one object; the rest is not. */
const MAX_VISITED = 5_000;
/** What stands deeper is compared as a whole. */
const MAX_DEPTH = 48;

/** Maps of users' own keys that are owned as one. Other maps that are have fields of the API, which may have defaults. */
const MAPS_OF_USERS: ReadonlySet<string> = new Set(["matchLabels", "nodeSelector", "selector"]);

/** How a field of the cluster is, seen from the manifest. `extra`: it is there, and the manifest has none. */
export type FieldState = "same" | "different" | "absent" | "extra";

/** One field of the manifest, or one that is left of an earlier one. */
export interface ComparedField {
  /** "spec.template.spec.containers[web].image" */
  readonly path: string;
  /** The path to it in the manifest, by names and indexes; of what is not there, as far as there is one. */
  readonly steps: readonly string[];
  readonly state: FieldState;
  readonly desired?: unknown;
  readonly live?: unknown;
  /** Of `extra`: names of the fields from the end of `steps` to it, or to the list that it is an item of. */
  readonly below?: readonly string[];
  /** Of `extra`: it is an item of a list. */
  readonly isItem?: boolean;
}

interface At {
  readonly path: string;
  readonly steps: readonly string[];
}

/** Where something is that the manifest does not have. */
type ExtraAt = At & Pick<ComparedField, "below" | "isItem">;

/** What stands deeper is not compared: no object of Kubernetes is nested so far. */
const MAX_COMPARED_DEPTH = 64;

/** Fields around quantities, which API servers write in a form of their own: "1000m" comes back as "1". */
const AROUND_QUANTITIES: ReadonlySet<string> = new Set([
  "averageValue",
  "capacity",
  "divisor",
  "hard",
  "limits",
  "overhead",
  "podFixed",
  "requests",
  "sizeLimit",
  "storage",
  "targetValue",
]);
/** Where users write texts of their own: what looks like a quantity there is none. */
const OF_USERS: ReadonlySet<string> = new Set(["annotations", "binaryData", "data", "env", "labels", "stringData"]);

/** Compares a manifest with the object in the cluster, field by field, in the manifest's order. Fields it does not name are left out. */
export class FieldComparison {
  readonly fields: ComparedField[] = [];
  readonly #entries: ManagedEntries;

  constructor(entries: ManagedEntries) {
    this.#entries = entries;
  }

  /** Not everything was looked at. */
  get isCut(): boolean {
    return this.fields.length >= MAX_VISITED;
  }

  compare(desired: unknown, live: unknown, at: At): void {
    // A field without a value requires nothing.
    if (desired === null || desired === undefined || this.isCut) return;
    if (at.steps.length < MAX_DEPTH && isFields(desired) && isFields(live)) this.#maps(desired, live, at);
    else if (at.steps.length < MAX_DEPTH && Array.isArray(desired) && Array.isArray(live)) this.#lists(desired, live, at);
    else this.#value(desired, live, at);
  }

  /** Something that the manifest does not have, or not any more. */
  extra(live: unknown, at: ExtraAt): void {
    if (live === undefined || this.isCut || this.fields.some(({ path }) => path === at.path)) return;
    this.fields.push({ ...at, state: "extra", live });
  }

  #value(desired: unknown, live: unknown, at: At): void {
    if (live === undefined) this.fields.push({ ...at, state: isZero(desired) ? "same" : "absent", desired });
    else this.#found(isSameValue(desired, live, splitFieldPath(at.path)), { ...at, desired, live });
  }

  #found(isSame: boolean, field: Omit<ComparedField, "state">): void {
    this.fields.push({ ...field, state: isSame ? "same" : "different" });
  }

  #maps(desired: Fields, live: Fields, at: At): void {
    const names = Object.keys(desired);
    if (names.length === 0) return this.#found(true, { ...at, desired, live });
    for (const name of names) this.compare(desired[name], live[name], stepTo(at, name));
    if (!MAPS_OF_USERS.has(at.steps.at(-1) ?? "") || !Object.values(live).every(isScalar) || !this.#isAtomic(at)) return;
    for (const name of Object.keys(live))
      if (desired[name] === undefined) this.extra(live[name], { ...stepTo(at, name), steps: at.steps, below: [name] });
  }

  #lists(desired: readonly unknown[], live: readonly unknown[], at: At): void {
    const { by, names } = itemNames(desired);
    if (by !== "") return this.#items(desired, live, { ...at, by, names });
    if (desired.length === 0) return this.#found(live.length === 0 || !this.#isAtomic(at), { ...at, desired, live });
    if (desired.every(isScalar)) {
      if (!this.#isSet(at)) return this.#value(desired, live, at);
      return this.#found(
        desired.every((item) => live.includes(item)),
        { ...at, desired, live },
      );
    }
    if (desired.length !== live.length) return this.#found(false, { ...at, desired, live });
    for (const [index, item] of desired.entries())
      this.compare(item, live[index], { path: itemPath(at.path, String(index)), steps: [...at.steps, String(index)] });
  }

  /** Lists whose items have names: others may have added some, and their order is irrelevant. */
  #items(
    desired: readonly unknown[],
    live: readonly unknown[],
    { path, steps, by, names }: At & { readonly by: string; readonly names: readonly string[] },
  ): void {
    const found = new Map<string, unknown>();
    for (const item of live) {
      const name = isFields(item) ? String(item[by]) : "";
      if (!found.has(name)) found.set(name, item);
    }
    for (const [index, item] of desired.entries()) {
      const name = names[index] ?? "";
      this.compare(item, found.get(name), { path: itemPath(path, name), steps: [...steps, String(index)] });
      found.delete(name);
    }
    if (!this.#isAtomic({ path, steps })) return;
    for (const [name, item] of found) this.extra(item, { path: itemPath(path, name), steps, isItem: true });
  }

  #isAtomic({ path }: At): boolean {
    return this.#entries.isAtomic(splitFieldPath(path));
  }

  #isSet({ path }: At): boolean {
    return this.#entries.isSet(splitFieldPath(path));
  }
}

function stepTo({ path, steps }: At, name: string): At {
  return { path: fieldPath(path, name), steps: [...steps, name] };
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Whether a value is what the manifest sets: equal, or another form of the same quantity. @param path names of fields and items */
function isSameValue(desired: unknown, live: unknown, path: readonly string[]): boolean {
  return isSame(desired, live, { quantities: isAroundQuantity(path), depth: 0 });
}

/** Whether API servers treat a value as if it were absent: they omit such values from responses. */
function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isFields(value)) return Object.keys(value).length === 0;
  return value === null || value === "" || value === 0 || value === false;
}

function isSame(desired: unknown, live: unknown, { quantities, depth }: { readonly quantities: boolean; readonly depth: number }): boolean {
  if (desired === live) return true;
  if (depth > MAX_COMPARED_DEPTH) return false;
  if (Array.isArray(desired) && Array.isArray(live))
    return desired.length === live.length && desired.every((item, index) => isSame(item, live[index], { quantities, depth: depth + 1 }));
  if (isFields(desired) && isFields(live)) {
    const names = new Set([...Object.keys(desired), ...Object.keys(live)]);
    return [...names].every((name) =>
      isSame(desired[name], live[name], { quantities: quantities || AROUND_QUANTITIES.has(name), depth: depth + 1 }),
    );
  }
  if (live === undefined) return isZero(desired);
  if (!quantities) return false;
  const amount = quantityOf(desired);
  return amount !== undefined && amount === quantityOf(live);
}

function isAroundQuantity(path: readonly string[]): boolean {
  return path.some((name) => AROUND_QUANTITIES.has(name)) && !path.some((name) => OF_USERS.has(name));
}
