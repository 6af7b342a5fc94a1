"use client";
import type { ReactNode } from "react";
import { formatSecond } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { sayLater } from "../../ui/said.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { useView } from "../live/environment-context.tsx";
import styles from "./hold.module.css";
import { holdWords } from "./hold-words.ts";
import { useHeldTitle } from "./use-held-title.ts";
import { useHold } from "./use-hold.ts";

/** That the page is held, since when, how much waits, and what is not held; nothing while it is not. */
export function HoldBanner(): ReactNode {
  const { hold } = useView();
  useHeldTitle(hold !== undefined);
  return hold === undefined ? null : <Held />;
}

function Held(): ReactNode {
  const view = useView();
  const [url] = useUrlState();
  const now = useNow();
  const resume = useHold();
  return (
    <div className={`banner suspended ${styles["held"]}`} data-held={view.hold?.waiting}>
      <Icon name="hold" />
      <p className="grow num">
        <WithTimes text={holdWords(view, url, now)} times={[view.hold?.sinceMs]} now={now} />
      </p>
      {/* Said once: a count that goes on would never let a reader finish. */}
      <output className="visually-hidden">{sayLater("hold/began", { at: formatSecond(view.hold?.sinceMs ?? now, now) })}</output>
      <button type="button" className="btn sm" onClick={resume}>
        {sayLater("hold/go-on")}
      </button>
    </div>
  );
}
