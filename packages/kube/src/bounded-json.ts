import { isFields } from "./loose-json.ts";

/** About this many characters of JSON stay whole. */
const MAX_CHARS = 256 * 1024;
/** Beyond that, texts are cut to this many characters. */
const MAX_TEXT_CHARS = 1_024;
/** Nothing deeper than this is read: no rule refers to it, and recursion would exhaust the stack. */
const MAX_DEPTH = 64;

/** The value itself while it is of a usual size (256 KiB); a copy with every text cut to 1 KiB when it is not. */
export function bounded<T extends object>(value: T): T {
  if (weigh(value, 0) <= MAX_CHARS) return value;
  // Only texts change, and they stay texts.
  return cutTexts(value, 0) as T;
}

/** About the length of the value as JSON; counting stops soon after the limit. */
function weigh(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return 6;
  let sum = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && sum <= MAX_CHARS; index += 1) sum += weigh(value[index], depth + 1);
    return sum;
  }
  if (!isFields(value)) return sum;
  for (const name in value) {
    sum += name.length + 3 + weigh(value[name], depth + 1);
    if (sum > MAX_CHARS) break;
  }
  return sum;
}

function cutTexts(value: unknown, depth: number): unknown {
  // Split and joined, because a slice would keep all of the text alive.
  if (typeof value === "string") return value.length > MAX_TEXT_CHARS ? value.slice(0, MAX_TEXT_CHARS).split("").join("") : value;
  if (depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, depth + 1));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cutTexts(field, depth + 1)]));
}
