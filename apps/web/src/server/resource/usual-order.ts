/** What people look for first, of an object and of its metadata; the status of an object comes last. */
const FIRST = ["apiVersion", "kind", "metadata", "spec"];
const FIRST_OF_METADATA = ["name", "generateName", "namespace", "labels", "annotations"];
const LAST = ["status"];

/** The object with its fields in the order in which manifests are written; API servers send them in their own. Not mutated. */
export function inUsualOrder(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { metadata } = object;
  const ordered = isMap(metadata) ? { ...object, metadata: inOrder(metadata, FIRST_OF_METADATA, []) } : object;
  return inOrder(ordered, FIRST, LAST);
}

/** What neither list names keeps its order, between the two. */
function inOrder(fields: Readonly<Record<string, unknown>>, first: readonly string[], last: readonly string[]): Record<string, unknown> {
  const placed = (key: string): number => (first.includes(key) ? first.indexOf(key) : first.length + (last.includes(key) ? 1 : 0));
  return Object.fromEntries(Object.entries(fields).toSorted(([left], [right]) => placed(left) - placed(right)));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
