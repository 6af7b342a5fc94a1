import type { Words } from "@binnacle/words";

/** One line of a metric. */
export interface MeasuredLine {
  readonly name: string;
  /** Absent: the query had none. */
  readonly query?: string;
  /** NaN: nothing was measured then. */
  readonly values: readonly number[];
}

/** What was measured, or why nothing is known. */
export type Measured = { readonly kind: "measured"; readonly lines: readonly MeasuredLine[] } | MetricsRefusal;

/** There is no answer. */
export interface MetricsRefusal {
  readonly kind: "refused";
  readonly why: Words;
}

/** A line of several namespaces. */
export interface SummedLine {
  readonly name: string;
  readonly queries: readonly string[];
  readonly values: readonly number[];
}

/** Whether there is any value in it. */
export function isMeasured({ values }: Pick<MeasuredLine, "values">): boolean {
  return values.some((value) => !Number.isNaN(value));
}

/** Lines of one metric, of all namespaces together. A moment at which nothing was measured anywhere stays one. */
export function summedLines(lines: readonly MeasuredLine[]): readonly SummedLine[] {
  const byName = new Map<string, { queries: string[]; values: number[] }>();
  for (const { name, query, values } of lines) {
    const sum = byName.get(name) ?? { queries: [], values: values.map(() => Number.NaN) };
    byName.set(name, sum);
    if (query !== undefined) sum.queries.push(query);
    for (const [at, value] of values.entries()) if (!Number.isNaN(value)) sum.values[at] = value + (sum.values[at] || 0);
  }
  return [...byName].map(([name, sum]) => ({ name, ...sum })).filter(isMeasured);
}
