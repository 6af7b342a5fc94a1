/** Longer texts seldom occur twice. */
const MAX_CHARS = 128;
/** Once so many texts are known, it begins anew: what is in use then is shared no more with what comes. */
const DEFAULT_MAX_TEXTS = 20_000;

/** Gives equal texts one place in memory. */
export type TextSharing = Pick<StringPool, "share">;

/** Gives equal texts one place in memory: every pod of a namespace says "Running", its node and its images. Bounded. */
export class StringPool {
  readonly #maxTexts: number;
  #texts = new Map<string, string>();

  constructor(options: { readonly maxTexts?: number } = {}) {
    this.#maxTexts = options.maxTexts ?? DEFAULT_MAX_TEXTS;
  }

  /** How many texts are known. */
  get size(): number {
    return this.#texts.size;
  }

  /** The same text, as it was first given. */
  share(text: string): string {
    if (text.length > MAX_CHARS) return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= this.#maxTexts) this.#texts = new Map();
    this.#texts.set(text, text);
    return text;
  }
}
