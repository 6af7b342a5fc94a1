"use client";
import type { ReactNode } from "react";
import { useNow } from "../../ui/use-now.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useView } from "../live/environment-context.tsx";
import type { ShownPause } from "../live/view-state.ts";
import { HeldBanner } from "./held-banner.tsx";
import { holdWords } from "./hold-words.ts";
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
