import type { Expression } from "./expressions-of.ts";

/** What is known of one expression: whether the time for a text of n characters grows as n, and if not, a text that shows it. */
export type Verdict =
  | { readonly kind: "linear" }
  | { readonly kind: "slow"; readonly growth: string; readonly attack: string }
  | { readonly kind: "unknown"; readonly reason: string };

/** What is known already, and how the rest is found out. */
export interface Knowledge {
  /** Expressions as written that were proven before. */
  readonly proven: ReadonlySet<string>;
  /** Reasons by expression as written: why a slow one may stay. */
  readonly allowed: ReadonlyMap<string, string>;
  readonly prove: (pattern: { readonly source: string; readonly flags: string }) => Promise<Verdict>;
}

/** What was found out. */
export interface Findings {
  /** One sentence each, with path and line. */
  readonly problems: readonly string[];
  /** Every expression in use that is linear, as written, in order. */
  readonly linear: readonly string[];
}

/** Checks every expression: a slow one that is not allowed is a problem, and so is an unused allowance. */
export async function slowExpressions(expressions: readonly Expression[], known: Knowledge): Promise<Findings> {
  const problems: string[] = [];
  const verdicts = new Map<string, Verdict>();
  const allowed = new Set<string>();
  for (const { path, line, written, pattern } of expressions) {
    if (known.allowed.has(written)) {
      allowed.add(written);
      continue;
    }
    const verdict = verdicts.get(written) ?? (await verdictOf(written, pattern, known));
    verdicts.set(written, verdict);
    const problem = problemOf(verdict);
    if (problem !== undefined) problems.push(`${path}:${line}: ${written} ${problem}`);
  }
  for (const written of known.allowed.keys()) {
    if (!allowed.has(written)) problems.push(`scripts/expressions/allowed.ts: unused: ${written}`);
  }
  const linear = [...verdicts].flatMap(([written, { kind }]) => (kind === "linear" ? [written] : []));
  return { problems, linear: linear.toSorted() };
}

async function verdictOf(written: string, pattern: Expression["pattern"], { proven, prove }: Knowledge): Promise<Verdict> {
  if (pattern === undefined) return { kind: "unknown", reason: "it is put together while the program runs" };
  return proven.has(written) ? { kind: "linear" } : prove(pattern);
}

function problemOf(verdict: Verdict): string | undefined {
  if (verdict.kind === "linear") return undefined;
  if (verdict.kind === "unknown") return `could not be proven to be linear: ${verdict.reason}`;
  return `is slow: ${verdict.growth}, for example on ${verdict.attack}`;
}
