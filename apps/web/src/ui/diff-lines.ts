import { diffLines } from "diff";

/** More changed lines than this are not shown as a diff: to find the shortest one takes seconds. */
const MAX_CHANGED_LINES = 1_000;
/** Unchanged lines that are shown around a change. */
const CONTEXT_LINES = 3;
/** Fewer lines than this are not folded. */
const MIN_FOLDED_LINES = 4;

/** Lines that follow each other and are alike. */
export interface DiffRun {
  readonly kind: "same" | "desired" | "live" | "folded";
  readonly lines: readonly string[];
  /** Number of the first line on the desired side, from 1; absent where it has none of them. */
  readonly desiredLine?: number | undefined;
  /** The same of the live side. */
  readonly liveLine?: number | undefined;
}

/**
 * The diff of two texts by lines, long unchanged parts folded.
 *
 * @returns runs in order, those of the desired side first where both have one; `undefined` when more than 1,000 lines differ
 */
export function diffRuns(desired: string, live: string): readonly DiffRun[] | undefined {
  const changes = diffLines(desired, live, { maxEditLength: MAX_CHANGED_LINES });
  if (changes === undefined) return undefined;
  const runs: DiffRun[] = [];
  let [desiredLine, liveLine] = [1, 1];
  for (const [index, { value, added, removed }] of changes.entries()) {
    const lines = value.replace(/\n$/, "").split("\n");
    if (removed) runs.push({ kind: "desired", lines, desiredLine });
    else if (added) runs.push({ kind: "live", lines, liveLine });
    else {
      const ends = { isFirst: index === 0, isLast: index === changes.length - 1 };
      runs.push(...folded({ kind: "same", lines, desiredLine, liveLine }, ends));
    }
    if (!added) desiredLine += lines.length;
    if (!removed) liveLine += lines.length;
  }
  return runs;
}

/** An unchanged run with what is far from any change folded. */
function folded(run: DiffRun, { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean }): readonly DiffRun[] {
  const from = isFirst ? 0 : CONTEXT_LINES;
  const to = run.lines.length - (isLast ? 0 : CONTEXT_LINES);
  if (to - from < MIN_FOLDED_LINES) return [run];
  const parts = [partOf(run, 0, from), { ...partOf(run, from, to), kind: "folded" as const }, partOf(run, to, run.lines.length)];
  return parts.filter(({ lines }) => lines.length > 0);
}

function partOf({ kind, lines, desiredLine = 0, liveLine = 0 }: DiffRun, from: number, to: number): DiffRun {
  return { kind, lines: lines.slice(from, to), desiredLine: desiredLine + from, liveLine: liveLine + from };
}
