const OPENING = new Set(["(", "{", "["]);
const CLOSING = new Set([")", "}", "]"]);

/** Go source without its comments; strings are kept as they are. */
export function withoutComments(source: string): string {
  return source.replaceAll(/"(?:\\.|[^"\\\n])*"|`[^`]*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) => (part.startsWith("/") ? "" : part));
}

/** What stands between the bracket at `open` and its partner; empty when there is none. */
export function bracketed(source: string, open: number): string {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    const sign = source[at] ?? "";
    if (sign === '"' || sign === "`") {
      at = endOfText(source, at);
    } else if (OPENING.has(sign)) depth += 1;
    else if (CLOSING.has(sign)) {
      depth -= 1;
      if (depth === 0) return source.slice(open + 1, at);
    }
  }
  return "";
}

/** Parts between the commas that are in no bracket and no text of their own, trimmed. */
export function partsOf(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < list.length; at += 1) {
    const sign = list[at] ?? "";
    if (sign === '"' || sign === "`") at = endOfText(list, at);
    else if (OPENING.has(sign)) depth += 1;
    else if (CLOSING.has(sign)) depth -= 1;
    else if (sign === "," && depth === 0) {
      parts.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, list.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}

function endOfText(source: string, from: number): number {
  const sign = source[from];
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === "\\" && sign === '"') at += 1;
    else if (source[at] === sign) return at;
  }
  return source.length;
}
