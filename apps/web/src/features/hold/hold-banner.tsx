"use client";
import type { ReactNode } from "react";
import { useNow } from "../../ui/use-now.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useView } from "../live/environment-context.tsx";
import type { ShownHold } from "../live/shown-hold.ts";
import { HeldBanner } from "./held-banner.tsx";
import { holdWords } from "./hold-words.ts";
import { useHeldTitle } from "./use-held-title.ts";
import { useHold } from "./use-hold.ts";

/** That the page of an environment is held, since when, how much waits, and what is not held; nothing while it is not. */
export function HoldBanner(): ReactNode {
  const { hold } = useView();
  useHeldTitle(hold !== undefined);
  return hold !== undefined && <Held hold={hold} />;
}

function Held({ hold: { sinceMs, waiting } }: { readonly hold: ShownHold }): ReactNode {
  const view = useView();
  const [url] = useUrlState();
  const now = useNow();
  return <HeldBanner text={holdWords(view, url, now)} sinceMs={sinceMs} waiting={waiting} resume={useHold()} />;
}
