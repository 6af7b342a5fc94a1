"use client";
import type { ReactNode } from "react";
import { said, sayLater } from "../../ui/said.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import type { LiveEvents } from "../live/use-events.ts";
import { isForbidden, isUnread } from "./events-gaps.ts";
import styles from "./events.module.css";

/** Why there is nothing to show: these are never the same. */
export function NoEvents({ live, clear }: { readonly live: LiveEvents; readonly clear: () => void }): ReactNode {
  const { events, life, state, problem } = live;
  if (problem !== undefined) return <StatePanel icon="off" say={said(problem.words)} />;
  if (isForbidden(live)) return <StatePanel icon="locked" say={sayLater("events/forbidden")} more={said(state?.sources[0]?.words)} />;
  // As the number beside the filters: what happened to the agent is no event.
  const hidden = events.size || life.size;
  if (hidden > 0) {
    const action = (
      <button type="button" className="btn sm primary" onClick={clear}>
        {sayLater("events/clear")}
      </button>
    );
    return <StatePanel icon="search" say={sayLater("events/no-match", { count: hidden })} actions={action} />;
  }
  if (state?.complete !== true) return <Loading />;
  if (isUnread(live)) return <StatePanel icon="off" say={sayLater("events/never-read", { said: said(state.sources[0]?.words) })} />;
  return <StatePanel icon="event" say={sayLater("events/none")} />;
}

function Loading(): ReactNode {
  return (
    <div className={styles["pad"]}>
      <Skeleton rows={6} label={sayLater("events/loading")} />
    </div>
  );
}
