import { nanosText } from "@binnacle/kube";
import type { LineRow } from "../store/log-row.ts";
import type { ShownSource } from "../store/log-sources.ts";

/** A line as text, for a clipboard or a file: time, `{namespace}/{pod}/{container}`, text. */
export function lineText(
  { timeNanos, text }: Pick<LineRow, "timeNanos" | "text">,
  { namespace, pod, container }: Pick<ShownSource, "namespace" | "pod" | "container">,
): string {
  return `${nanosText(timeNanos)} ${namespace}/${pod}/${container} ${text}`;
}
