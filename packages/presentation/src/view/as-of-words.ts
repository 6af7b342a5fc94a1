import { formatClock, formatSecond } from "../text/format-time.ts";
import type { ViewState } from "@binnacle/presentation/view/view-state";
import { isGrey, type Freshness } from "@binnacle/presentation/view/freshness";
import { t } from "../text/messages.ts";

/** The same for the health of an environment, which may be the one that the page was sent with. */
export function healthAsOfWords(view: Pick<ViewState, "firstAsOfMs" | "kept">, freshness: Freshness, nowMs: number): string | undefined {
  return view.firstAsOfMs === undefined || view.kept || freshness.pausedMs !== undefined
    ? asOfWords(freshness, nowMs)
    : t("ui/as-of", { at: formatSecond(view.firstAsOfMs, nowMs) });
}

/** "as of 12:31" for what is shown as it was, "paused, as of 12:31:07"; `undefined` while it is current, or of now within seconds. */
export function asOfWords(freshness: Freshness, nowMs: number): string | undefined {
  if (freshness.pausedMs !== undefined) return t("live/held-as-of", { at: formatSecond(freshness.pausedMs, nowMs) });
  return isGrey(freshness) && "asOfMs" in freshness ? t("ui/as-of", { at: formatClock(freshness.asOfMs, nowMs) }) : undefined;
}
