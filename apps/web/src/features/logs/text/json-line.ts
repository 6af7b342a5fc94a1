/** A longer line is shown as it is: it would take too long to read. */
const MAX_CHARACTERS = 200_000;

/** A line that is a JSON object or array, written over several lines with an indent of 2; `undefined` for any other line. */
export function prettyJson(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_CHARACTERS || !/^(?:\{[^]*\}|\[[^]*\])$/.test(trimmed)) return undefined;
  try {
    const pretty = JSON.stringify(JSON.parse(trimmed), undefined, 2);
    return pretty === trimmed ? undefined : pretty;
  } catch {
    return undefined;
  }
}

/** Whether a line looks like a JSON object: checked for every line in sight, so nothing is parsed. */
export function looksLikeJson(text: string): boolean {
  return text.startsWith("{") && text.trimEnd().endsWith("}");
}
