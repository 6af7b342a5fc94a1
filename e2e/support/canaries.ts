import type { Part } from "./browser-traffic.ts";

/** Words that must not be found where they do not belong, whatever they are wrapped in. */
export class Canaries {
  readonly #forms = new Map<string, string>();

  /** @param words what each is, and the word */
  constructor(words: readonly (readonly [what: string, word: string])[]) {
    this.add(words);
  }

  add(words: readonly (readonly [what: string, word: string])[]): void {
    for (const [what, word] of words) for (const form of formsOf(word)) this.#forms.set(form, what);
  }

  /** Which of them stand in which text: one sentence each, without the word itself. */
  found(parts: readonly Part[]): string[] {
    const sentences = parts.flatMap(({ where, text }) =>
      [...this.#forms].filter(([form]) => text.includes(form)).map(([, what]) => `${what} in ${where}`),
    );
    return [...new Set(sentences)];
  }
}

/** As it is, in base64 and base64url (also where it stands in the middle of a longer text), in hexadecimal, and as a part of a URL. */
function formsOf(word: string): readonly string[] {
  const shifted = [0, 1, 2].flatMap((shift) =>
    (["base64", "base64url"] as const).map((encoding) => {
      const text = Buffer.from(`${"x".repeat(shift)}${word}`)
        .toString(encoding)
        .replace(/=+$/, "");
      // The first and the last characters depend on what stands beside the word.
      return text.slice(shift === 0 ? 0 : 4, -3);
    }),
  );
  return [...new Set([word, encodeURIComponent(word), Buffer.from(word).toString("hex"), ...shifted])].filter((form) => form.length >= 8);
}
