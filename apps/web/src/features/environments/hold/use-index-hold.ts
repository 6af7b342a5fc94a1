"use client";
import { useMemo, useState } from "react";
import { serverTime } from "../../../ui/server-time.ts";
import type { EnvironmentsState } from "../environments-state.ts";
import { endsIndexHold, heldIndex, waitingOf } from "./held-index.ts";

/** An index that somebody holds to read it. */
export interface IndexHold {
  /** Milliseconds since the epoch, by the server's clock. */
  readonly sinceMs: number;
  /** How many environments have changed meanwhile. */
  readonly waiting: number;
  /** The stream does not come now: what waits may be more. */
  readonly lost: boolean;
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
