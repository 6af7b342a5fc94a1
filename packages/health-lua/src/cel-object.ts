/**
 * JSON text as CEL sees it: objects are Maps, so that a field named "constructor" is a field; whole numbers are int (bigint) as in Flux,
 * others double.
 *
 * @throws SyntaxError when the text is no JSON object
 */
export function parseCelObject(json: string): ReadonlyMap<string, unknown> {
  const value = celValueOf(JSON.parse(json));
  if (!(value instanceof Map)) throw new SyntaxError("The resource is no JSON object");
  return value;
}

function celValueOf(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(celValueOf);
  const map = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) map.set(name, celValueOf(field));
  return map;
}
