/**
 * Whether a value stays below a size when it is written out, with what aliases refer to written at each place. Stops counting at the limit:
 * a value that refers to itself, or to something large a thousand times, costs no more than one that is just too large.
 */
export function isWithinBytes(value: unknown, maxBytes: number): boolean {
  let bytes = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    bytes += 2;
    if (typeof next === "string") bytes += Buffer.byteLength(next);
    else if (typeof next === "object" && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        bytes += Array.isArray(next) ? 1 : key.length + 4;
        waiting.push(inner);
      }
    } else bytes += 4;
    if (bytes > maxBytes) return false;
  }
  return true;
}
