"use client";
import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { Suspense, type ReactNode, useMemo, useState } from "react";
import { formatSecond } from "../../../ui/format-time.ts";
import { tLater } from "../../../ui/messages.ts";
import { serverTime } from "../../../ui/server-time.ts";
import { useNow } from "../../../ui/use-now.ts";
import { WithTimes } from "../../../ui/with-times.tsx";
import { HeldBanner } from "../../hold/held-banner.tsx";
import { useHeldTitle } from "../../hold/use-held-title.ts";
import { isOfAnotherUser } from "@binnacle/presentation/view/same-view";
import { endsPause } from "@binnacle/presentation/view/pause";
import type { EnvironmentsState } from "../environments-state.ts";
import { isForbidden } from "@binnacle/presentation/environments/row-order";

interface Held {
  readonly hold: IndexHold;
}

/** A paused index. */
interface IndexHold {
  /** Milliseconds since the epoch, by the server's clock. */
  readonly sinceMs: number;
  /** How many environments have changed meanwhile. */
  readonly waiting: number;
  /** The stream does not come now: what waits may be more. */
  readonly lost: boolean;
}

/** That the index is held, since when and how much waits. */
export function IndexHoldBanner(props: Held & { readonly toggle: () => void }): ReactNode {
  useHeldTitle(true);
  return (
    <Suspense>
      <HoldText {...props} />
    </Suspense>
  );
}

function HoldText({ hold: { sinceMs, waiting, lost }, toggle }: Held & { readonly toggle: () => void }): ReactNode {
  const at = formatSecond(sinceMs, useNow(60_000));
  const words = [tLater(waiting === 0 ? "hold/none" : "hold/since", { at, count: waiting }), ...(lost ? [tLater("hold/lost")] : [])];
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
  return <WithTimes text={tLater("hold/as-of", { at: formatSecond(atMs, now) })} times={[atMs]} now={now} />;
}

/** What is shown of an index that is held: what it was then. What is gone, and what may not be seen any more, goes at once. */
export function heldIndex(at: EnvironmentsState, live: EnvironmentsState): EnvironmentsState {
  const rows = new Map<string, EnvironmentRow>();
  for (const [name, row] of at.rows) {
    const now = live.rows.get(name);
    if (now !== undefined) rows.set(name, isForbidden(now) ? now : row);
  }
  return { ...at, rows, viewer: live.viewer, problem: live.problem };
}

/** How many environments say something else by now, have come or have gone. */
export function waitingOf(at: EnvironmentsState, live: EnvironmentsState): number {
  const names = new Set([...at.rows.keys(), ...live.rows.keys()]);
  return [...names].filter((name) => contentOf(at.rows.get(name)) !== contentOf(live.rows.get(name))).length;
}

/** Whether nothing of it may be shown any more, held or not: another user has signed in, or the project may not be seen. */
export function endsIndexHold(at: EnvironmentsState, { viewer, problem }: EnvironmentsState): boolean {
  return isOfAnotherUser(at.viewer, viewer) || endsPause({ problem });
}

/** What a row says of its environment, without of when that is. */
function contentOf(row: EnvironmentRow | undefined): string {
  if (row === undefined) return "";
  const { health, workloads, workloadsReady, workloadsSuspended, workloadsDown, connection, problem, gap } = row;
  const issues = health?.issues.map(({ key }) => key);
  const counted = [health?.status, health?.partial, health?.issuesTotal, health?.resourcesTotal, issues];
  return JSON.stringify([counted, workloads, workloadsReady, workloadsSuspended, workloadsDown, connection?.state, problem?.kind, gap]);
}

/**
 * What the index shows: what is known, or while it is held what was. The stream, which other pages share, does not hear of it.
 *
 * @param view a hold is of one view; another one goes on
 */
export function useIndexHold(
  live: EnvironmentsState,
  view: string,
): { readonly state: EnvironmentsState; readonly hold: IndexHold | undefined; readonly toggle: () => void } {
  const [held, setHeld] = useState<{ readonly at: EnvironmentsState; readonly view: string; readonly sinceMs: number }>();
  const at = held?.at;
  // There may be thousands of rows, and the page is drawn every second.
  const shown = useMemo(() => at && { state: heldIndex(at, live), waiting: waitingOf(at, live) }, [at, live]);
  const isOver = held !== undefined && (held.view !== view || endsIndexHold(held.at, live));
  if (isOver) setHeld(undefined);
  if (held === undefined || shown === undefined || isOver) {
    return { state: live, hold: undefined, toggle: () => setHeld({ at: live, view, sinceMs: serverTime.now() }) };
  }
  const { state, waiting } = shown;
  return { state, hold: { sinceMs: held.sinceMs, waiting, lost: live.lost }, toggle: () => setHeld(undefined) };
}
