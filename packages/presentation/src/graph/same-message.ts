/**
 * Whether two messages of one type hold the same: what `equals` of protobuf-es says, without the descriptors that it needs. What is absent
 * and what is `undefined` are one; fields that this build does not know do not count.
 */
export function isSameMessage(a: object, b: object): boolean {
  return isSame(a, b);
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, index) => isSame(each, b[index]));
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  names.delete("$unknown");
  return [...names].every((name) => isSame(Reflect.get(a, name), Reflect.get(b, name)));
}
