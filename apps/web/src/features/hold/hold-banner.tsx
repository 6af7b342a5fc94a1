"use client";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { formatSecond } from "../../ui/format-time.ts";
import { tLater } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import type { UrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useView } from "../live/environment-context.tsx";
import type { ShownPause, ViewState } from "@binnacle/presentation/view/view-state";
import { HeldBanner } from "./held-banner.tsx";
import { useHeldTitle } from "./use-held-title.ts";
import { useHold } from "./use-hold.ts";

/** That the page of an environment is held, since when, how much waits, and what is not held; nothing while it is not. */
export function HoldBanner(): ReactNode {
  const { pause } = useView();
  useHeldTitle(pause !== undefined);
  return pause !== undefined && <Held pause={pause} />;
}

function Held({ pause: { sinceMs, waiting } }: { readonly pause: ShownPause }): ReactNode {
  const view = useView();
  const [url] = useUrlState();
  const now = useNow();
  return <HeldBanner text={holdWords(view, url, now)} sinceMs={sinceMs} waiting={waiting} resume={useHold()} />;
}

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
    tLater(pause.waiting === 0 ? "hold/none" : "hold/since", { at, count: pause.waiting }),
    ...(ended ? [tLater("hold/ended")] : []),
    ...(!ended && stream.kind === "lost" ? [tLater("hold/lost")] : []),
    ...(view === "events" ? [tLater("hold/not-events")] : []),
    ...(view === "logs" ? [tLater("hold/not-logs")] : []),
    ...(sel === "" ? [] : [tLater("hold/not-details")]),
  ].join(" ");
}
