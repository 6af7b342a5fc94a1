/** The languages that rules are written in. */
export type RuleLanguage = "lua" | "cel";

/** One run: a rule by its place in the batch, and the object as JSON text. */
export interface RuleJob {
  readonly rule: number;
  readonly json: string;
}

/** What the parent sends: runs that share one trip. Each rule travels once. */
export interface RuleBatch {
  readonly rules: readonly { readonly language: RuleLanguage; readonly text: string }[];
  readonly jobs: readonly RuleJob[];
}

/**
 * How a run ended: an answer, no opinion, an error of the rule, a field that the object does not have, a limit ("steps", "memory"), a
 * sandbox that broke, or one that could not be made. `status` is a word of Argo CD.
 */
export interface RuleAnswer {
  readonly tag: "ok" | "nil" | "error" | "missing" | "steps" | "memory" | "crash" | "unavailable";
  readonly status: string;
  readonly message: string;
}

/**
 * What the worker sends. "answers" are the next ones of the batch, in order; with `done` no more will come, and the runs without an
 * answer have to be sent again. "ready": it waits for a batch.
 */
export type WorkerMessage =
  { readonly type: "ready" } | { readonly type: "answers"; readonly answers: readonly RuleAnswer[]; readonly done: boolean };

/** What the worker starts with. */
export interface WorkerData {
  /** One 32-bit cell: the place in the batch of the run that has begun. */
  readonly begun: SharedArrayBuffer;
}
