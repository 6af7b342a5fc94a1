"use client";
import { Suspense, type ReactNode } from "react";
import { formatSecond } from "../../../ui/format-time.ts";
import { sayLater } from "../../../ui/said.ts";
import { useNow } from "../../../ui/use-now.ts";
import { WithTimes } from "../../../ui/with-times.tsx";
import { HeldBanner } from "../../hold/held-banner.tsx";
import { useHeldTitle } from "../../hold/use-held-title.ts";
import type { IndexHold } from "./use-index-hold.ts";

interface Held {
  readonly hold: IndexHold;
}

/** That the index is held, since when and how much waits. */
export function IndexHoldBanner(props: Held & { readonly toggle: () => void }): ReactNode {
  useHeldTitle(true);
  return (
    <Suspense>
      <Told {...props} />
    </Suspense>
  );
}

function Told({ hold: { sinceMs, waiting, lost }, toggle }: Held & { readonly toggle: () => void }): ReactNode {
  const at = formatSecond(sinceMs, useNow(60_000));
  const words = [sayLater(waiting === 0 ? "hold/none" : "hold/since", { at, count: waiting }), ...(lost ? [sayLater("hold/lost")] : [])];
  return <HeldBanner text={words.join(" ")} sinceMs={sinceMs} waiting={waiting} resume={toggle} />;
}

/** "As of 12:31:20, paused": what stands beside is of then. */
export function HeldAt({ hold: { sinceMs } }: Held): ReactNode {
  return (
    <Suspense>
      <At atMs={sinceMs} />
    </Suspense>
  );
}

function At({ atMs }: { readonly atMs: number }): ReactNode {
  const now = useNow(60_000);
  return <WithTimes text={sayLater("hold/as-of", { at: formatSecond(atMs, now) })} times={[atMs]} now={now} />;
}
