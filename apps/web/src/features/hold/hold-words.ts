import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import { formatSecond } from "../../ui/format-time.ts";
import { sayLater } from "../../ui/said.ts";
import type { UrlState } from "../address/url-state.ts";
import type { ViewState } from "../live/view-state.ts";

/** Since when a page is held and how much waits, what may be wrong about that, and what of it is not held. Empty while it is not. */
export function holdWords(
  { pause, stream, problem }: Pick<ViewState, "pause" | "stream" | "problem">,
  { view, sel }: Pick<UrlState, "view" | "sel">,
  nowMs: number,
): string {
  if (pause === undefined) return "";
  const at = formatSecond(pause.sinceMs, nowMs);
  const ended = stream.kind === "ended" || problem?.kind === ProblemKind.UNAUTHENTICATED;
  return [
    sayLater(pause.waiting === 0 ? "hold/none" : "hold/since", { at, count: pause.waiting }),
    ...(ended ? [sayLater("hold/ended")] : []),
    ...(!ended && stream.kind === "lost" ? [sayLater("hold/lost")] : []),
    ...(view === "events" ? [sayLater("hold/not-events")] : []),
    ...(view === "logs" ? [sayLater("hold/not-logs")] : []),
    ...(sel === "" ? [] : [sayLater("hold/not-details")]),
  ].join(" ");
}
