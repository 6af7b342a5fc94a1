import type { LineRow } from "../store/log-row.ts";
import type { ShownSource } from "../store/log-sources.ts";

/** "2026-11-28T11:58:20.042123456Z", as the container runtime writes it. */
export function exactTime(nanos: bigint): string {
  const date = new Date(Number(nanos / 1_000_000n));
  if (Number.isNaN(date.getTime())) return String(nanos);
  return `${date.toISOString().slice(0, 19)}.${String(nanos % 1_000_000_000n).padStart(9, "0")}Z`;
}

/** A line as text, for a clipboard or a file: time, `{namespace}/{pod}/{container}`, text. */
export function lineText(
  { timeNanos, text }: Pick<LineRow, "timeNanos" | "text">,
  { namespace, pod, container }: Pick<ShownSource, "namespace" | "pod" | "container">,
): string {
  return `${exactTime(timeNanos)} ${namespace}/${pod}/${container} ${text}`;
}
