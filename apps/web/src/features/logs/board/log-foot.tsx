"use client";
import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { tLater } from "../../../ui/messages.ts";
import type { LogSnapshot } from "../store/log-store.ts";
import { CopyButton } from "./line-details.tsx";
import styles from "./logs.module.css";
import { SourceList } from "./source-list.tsx";

/** What there is, and what can be done with it: pause, copy, download. */
export function LogFoot(props: {
  readonly snapshot: LogSnapshot;
  readonly labels: ReadonlyMap<number, string>;
  /** Lines that are chosen. */
  readonly chosen: number;
  readonly chosenText: () => string;
  readonly onPause: () => void;
  readonly onFollow: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { snapshot, labels, chosen, chosenText, onPause, onFollow, children } = props;
  const { rows, sources, isPaused, reading } = snapshot;
  const lines = rows.length;
  const isOver = reading.kind === "ended" || reading.kind === "rejected" || reading.kind === "session-ended";
  return (
    <div className={styles["foot"]}>
      {(!isOver || isPaused) && (
        <button type="button" className="btn sm" onClick={isPaused ? onFollow : onPause} data-pause="">
          <Icon name={isPaused ? "resume" : "hold"} size={14} />
          {isPaused ? tLater("logs-page/follow") : tLater("ui/pause")}
        </button>
      )}
      {sources.length > 0 && <SourceList sources={sources} labels={labels} />}
      <span className="num" data-count={lines}>
        {tLater("logs-page/lines", { count: lines })}
      </span>
      {reading.kind === "ended" && <span className="muted">{tLater("logs-page/ended")}</span>}
      <span className="grow" />
      {chosen > 0 && <CopyButton text={chosenText} label={tLater("logs-page/copy-lines", { count: chosen })} />}
      {children}
    </div>
  );
}
