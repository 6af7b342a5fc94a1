/** Source of a regular expression that matches the text and nothing else. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
