/** A JSON object of unknown shape. */
export type Tree = Record<string, unknown>;

/** True for a JSON object (not null, not a list). */
export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands at the path; `undefined` when any step is missing. A step is a field name or a list index. */
export function valueIn(root: unknown, ...path: readonly (string | number)[]): unknown {
  let current = root;
  for (const step of path) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isTree(current)) current = current[step];
    else return undefined;
  }
  return current;
}

/** The object at the path, or an empty one. */
export function treeIn(root: unknown, ...path: readonly (string | number)[]): Tree {
  const value = valueIn(root, ...path);
  return isTree(value) ? value : {};
}

/** The list at the path, or an empty one. */
export function listIn(root: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueIn(root, ...path);
  return Array.isArray(value) ? value : [];
}

/** The text at the path; `undefined` for anything but a text. */
export function textIn(root: unknown, ...path: readonly (string | number)[]): string | undefined {
  const value = valueIn(root, ...path);
  return typeof value === "string" ? value : undefined;
}

/** The number at the path; `undefined` for anything but a number. */
export function numberIn(root: unknown, ...path: readonly (string | number)[]): number | undefined {
  const value = valueIn(root, ...path);
  return typeof value === "number" ? value : undefined;
}

/** The map of texts at the path; other values are left out. */
export function textMapIn(root: unknown, ...path: readonly (string | number)[]): Record<string, string> {
  const entries = Object.entries(treeIn(root, ...path));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Deep equality of JSON values; an absent field equals an `undefined` one. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && left.length === right.length && left.every((item, i) => isSame(item, right[i]));
  }
  if (!isTree(left) || !isTree(right)) return false;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSame(left[name], right[name]));
}

/** JSON with sorted field names: equal values give equal text. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isTree(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`);
  return `{${fields.join(",")}}`;
}
