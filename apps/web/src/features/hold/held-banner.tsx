"use client";
import type { ReactNode } from "react";
import { formatSecond } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import styles from "./hold.module.css";

/** That a page is held, in words, and the button that lets it go on. */
export function HeldBanner(props: {
  readonly text: string;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly sinceMs: number;
  /** How much has changed meanwhile. */
  readonly waiting: number;
  readonly resume: () => void;
}): ReactNode {
  const { text, sinceMs, waiting, resume } = props;
  const now = useNow(60_000);
  return (
    <div className={`banner suspended ${styles["held"]}`} data-held={waiting}>
      <Icon name="hold" />
      <p className="grow num">
        <WithTimes text={text} times={[sinceMs]} now={now} />
      </p>
      {/* Announced once: a count that changes would interrupt a screen reader. */}
      <output className="visually-hidden">{tLater("hold/began", { at: formatSecond(sinceMs, now) })}</output>
      <button type="button" className="btn sm" onClick={resume}>
        {tLater("ui/resume")}
      </button>
    </div>
  );
}
