/** The first `ts` block of a README, and what it promises to print. */
export interface ReadmeExample {
  readonly code: string;
  /** Texts of its `// =>` comments, in order: one for each printed line. */
  readonly prints: readonly string[];
}

/**
 * The example of a README. One that can be run says what it prints: `// => text` at the end of a line, or on the lines below.
 *
 * @returns `undefined` when there is no `ts` block, or its first one promises nothing
 */
export function exampleOf(markdown: string): ReadmeExample | undefined {
  const code = /^```ts\n(.*?)^```$/ms.exec(markdown)?.[1];
  if (code === undefined) return undefined;
  const prints = [...code.matchAll(/\/\/ => ?(.*)$/gm)].map(([, text]) => (text ?? "").trimEnd());
  return prints.length === 0 ? undefined : { code, prints };
}
