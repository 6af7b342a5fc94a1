"use client";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import { useEffect, type ReactNode } from "react";
import { formatSecond } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { sayLater } from "../../ui/said.ts";
import { useNow } from "../../ui/use-now.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useView } from "../live/environment-context.tsx";
import styles from "./hold.module.css";
import { useHold } from "./use-hold.ts";

/** That the page is held, since when, how much waits, and what is not held; nothing while it is not. */
export function HoldBanner(): ReactNode {
  const { hold } = useView();
  useHeldTitle(hold !== undefined);
  return hold === undefined ? null : <Held />;
}

function Held(): ReactNode {
  const { hold, stream, problem } = useView();
  const [{ view, sel }] = useUrlState();
  const now = useNow();
  const resume = useHold();
  if (hold === undefined) return null;
  const at = formatSecond(hold.sinceMs, now);
  const ended = stream.kind === "ended" || problem?.kind === ProblemKind.UNAUTHENTICATED;
  return (
    <div className={`banner suspended ${styles["held"]}`} data-held={hold.waiting}>
      <Icon name="hold" />
      <output className="grow num">
        {sayLater(hold.waiting === 0 ? "hold/none" : "hold/since", { at, count: hold.waiting })}
        {ended && ` ${sayLater("hold/ended")}`}
        {!ended && stream.kind === "lost" && ` ${sayLater("hold/lost")}`}
        {view === "events" && ` ${sayLater("hold/not-events")}`}
        {sel !== "" && ` ${sayLater("hold/not-details")}`}
      </output>
      <button type="button" className="btn sm" onClick={resume}>
        Go on
      </button>
    </div>
  );
}

const MARK = "Held · ";

/** A tab that is looked at from outside says so too. */
function useHeldTitle(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return undefined;
    document.title = `${MARK}${document.title}`;
    return () => {
      document.title = document.title.replace(MARK, "");
    };
  }, [isHeld]);
}
