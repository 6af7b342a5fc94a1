import { isFields, quantityOf } from "@binnacle/kube";

/** What stands deeper is not compared: no object of Kubernetes is nested so far. */
const MAX_DEPTH = 64;

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

/** Whether a value is what the manifest sets: equal, or another form of the same quantity. @param path names of fields and items */
export function isSameValue(desired: unknown, live: unknown, path: readonly string[]): boolean {
  return isSame(desired, live, { quantities: isAroundQuantity(path), depth: 0 });
}

/** Whether API servers treat a value as if it were absent: they omit such values from responses. */
export function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isFields(value)) return Object.keys(value).length === 0;
  return value === null || value === "" || value === 0 || value === false;
}

function isSame(desired: unknown, live: unknown, { quantities, depth }: { readonly quantities: boolean; readonly depth: number }): boolean {
  if (desired === live) return true;
  if (depth > MAX_DEPTH) return false;
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
