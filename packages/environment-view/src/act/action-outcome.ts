import type { KubeClientError } from "../base/kube-client.ts";

/** What the API server answers to a change: the object as it is now, or a `Status`. Decoded JSON of which no more is promised. */
export type ActionAnswer = Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string };

/**
 * What became of an action.
 * - `done`: the API server says so.
 * - `refused`: nothing was changed. It was never handed over (`not_started`), or the API server refused it (4xx).
 * - `unknown`: it may have been done or not: it was handed over and no answer came, or the answer does not say (5xx, broken off).
 */
export type ActionOutcome =
  | {
      readonly kind: "done";
      readonly stage: "answered";
      readonly code: number;
      readonly answer: ActionAnswer;
      /** Of the API server, as it wrote them: at most 20 of 500 characters. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "refused"; readonly stage: "not_started" | "answered"; readonly error: KubeClientError }
  | { readonly kind: "unknown"; readonly stage: "started" | "answered"; readonly error: KubeClientError };

/** The API server's own limit is 4 KiB for all warnings of an answer. */
const MAX_WARNINGS = 20;
const MAX_WARNING_CHARS = 500;

/** The texts of `Warning` headers (RFC 7234, section 5.5; the API server sends code 299), which Node joins with commas. */
export function warningsOf(header: string | undefined): readonly string[] {
  const found = (header ?? "").slice(0, MAX_WARNINGS * MAX_WARNING_CHARS).matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g);
  return [...found].slice(0, MAX_WARNINGS).map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1").slice(0, MAX_WARNING_CHARS));
}

/** What a failure means for the object. */
export function outcomeOfFailure(error: KubeClientError): ActionOutcome {
  const { stage = "started" } = error;
  if (stage === "not_started") return { kind: "refused", stage, error };
  const code = error.status?.code ?? 0;
  if (stage === "answered" && error.failure === "api" && code >= 400 && code < 500) return { kind: "refused", stage, error };
  return { kind: "unknown", stage, error };
}
