import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { nameOf } from "@binnacle/presentation/environments/row-order";

/** Those that left earlier are not named any more, in milliseconds. */
export const SHOWN_MS = 10 * 60_000;
/** In ten minutes; those before are forgotten. */
const MAX_KEPT = 500;

/** An environment that left the list while it was open. */
export interface Departure {
  readonly name: string;
  /** When it was missing first, milliseconds since the epoch. */
  readonly atMs: number;
  /** It was being stopped; otherwise it may have been deleted as well. */
  readonly wasStopping: boolean;
}

/** Those that left, newest first, with these too; without those that are old, or back again. */
export function departuresAfter(
  earlier: readonly Departure[],
  {
    gone,
    rows,
    nowMs,
  }: { readonly gone: readonly EnvironmentRow[]; readonly rows: ReadonlyMap<string, EnvironmentRow>; readonly nowMs: number },
): readonly Departure[] {
  const left = gone.map((row) => ({ name: nameOf(row), atMs: nowMs, wasStopping: row.environment?.state === "stopping" }));
  const names = new Set(left.map(({ name }) => name));
  const others = earlier.filter(({ name, atMs }) => !names.has(name) && !rows.has(name) && nowMs - atMs < SHOWN_MS);
  const all = [...left, ...others].slice(0, MAX_KEPT);
  return all.length === 0 && earlier.length === 0 ? earlier : all;
}
