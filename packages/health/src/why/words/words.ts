/**
 * One reason in words. Places in `{braces}` are filled with facts; a part in `[brackets]` is left out when a fact in it is not
 * known. No full stop after a message, one after a next step.
 */
interface Words {
  /** Stable word; absent = the word that the cluster uses. */
  readonly reason?: string;
  /** One sentence: what is wrong. */
  readonly message: string;
  /** An imperative sentence: what to do. */
  readonly nextStep: string;
}

/** The rows of one family, by id. */
export type WordTable = Readonly<Record<string, Words>>;
