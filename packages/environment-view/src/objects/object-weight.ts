/** What an object or a list costs besides what is in it, and what a field or an item does. */
const CONTAINER_BYTES = 16;
const FIELD_BYTES = 8;

/**
 * About how many bytes decoded JSON holds in memory: its texts, 8 for every field and item, 16 for every object and list. Deep
 * values cost no stack; counting ends soon after `mostBytes`.
 */
export function weightOf(value: unknown, mostBytes: number = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && bytes <= mostBytes) {
    const next = open.pop();
    bytes += FIELD_BYTES;
    if (typeof next === "string") bytes += next.length;
    if (typeof next !== "object" || next === null) continue;
    bytes += CONTAINER_BYTES;
    if (Array.isArray(next)) {
      // Not spread: a list may be longer than a call may have arguments.
      for (const item of next) open.push(item);
      continue;
    }
    for (const [name, field] of Object.entries(next)) {
      bytes += name.length;
      open.push(field);
    }
  }
  return bytes;
}
