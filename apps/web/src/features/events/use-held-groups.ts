"use client";
import { useState } from "react";
import type { EventGroup } from "./event-groups.ts";
import { countNew } from "./event-rows.ts";

/** What is shown of the events, and what waits. */
export interface HeldGroups {
  readonly groups: readonly EventGroup[];
  /** How many have come that are not shown. */
  readonly fresh: number;
  /** To be told how far the reader has scrolled, in pixels. */
  readonly scrolled: (topPx: number) => void;
  /** Shows everything. */
  readonly release: () => void;
}

/** At the top everything is shown as it comes; further down it would move under the eyes of who reads. */
const TOP_PX = 8;

/** Holds the groups as they are while somebody has scrolled down. @param question what is asked for: the answer to another one is shown at once */
export function useHeldGroups(now: readonly EventGroup[], question: string): HeldGroups {
  const [held, setHeld] = useState<{ readonly groups: readonly EventGroup[]; readonly question: string }>();
  const isHeld = held?.question === question;
  return {
    groups: isHeld ? held.groups : now,
    fresh: isHeld ? countNew(held.groups, now) : 0,
    scrolled: (topPx) => {
      if (topPx <= TOP_PX) setHeld(undefined);
      else if (!isHeld) setHeld({ groups: now, question });
    },
    release: () => setHeld(undefined),
  };
}
