"use client";
import { visibleText } from "@binnacle/words";
import { LogContainerKind, LogSourceState } from "@binnacle/proto/dashboard-logs";
import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { messageText, tLater } from "../../../ui/messages.ts";
import type { ShownSource } from "../store/log-sources.ts";
import rows from "./log-row.module.css";
import styles from "./logs.module.css";

const STATES = {
  [LogSourceState.WAITING]: "logs-page/source/waiting",
  [LogSourceState.READING]: "logs-page/source/reading",
  [LogSourceState.ENDED]: "logs-page/source/ended",
  [LogSourceState.REFUSED]: "logs-page/source/refused",
  [LogSourceState.FAILED]: "logs-page/source/failed",
  [LogSourceState.OVER_LIMIT]: "logs-page/source/over-limit",
} as const;
const KINDS = {
  [LogContainerKind.INIT]: "logs-page/kind/init",
  [LogContainerKind.SIDECAR]: "logs-page/kind/sidecar",
  [LogContainerKind.EPHEMERAL]: "logs-page/kind/ephemeral",
} as const;

/** A button that opens the list of containers, each with its colour, how it is read, and what was read of it. */
export function SourceList({
  sources,
  labels,
}: {
  readonly sources: readonly ShownSource[];
  readonly labels: ReadonlyMap<number, string>;
}): ReactNode {
  return (
    <Popover
      title={tLater("logs-page/sources")}
      hasHead
      renderButton={(press) => (
        <button {...press} className="btn sm" data-sources="">
          {tLater("logs-page/sources/count", { count: sources.length })} <Icon name="down" size={14} />
        </button>
      )}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <ul className={styles["sources"]} tabIndex={0}>
        {sources.map((source) => (
          <li key={source.id} data-source={`${source.pod}/${source.container}`}>
            <span className={`${rows["colours"]} ${rows["source"]}`} data-colour={source.colour}>
              <i className={styles["dot"]} aria-hidden="true" />
            </span>
            <span className="b" translate="no">
              {visibleText(labels.get(source.id) ?? "")}
            </span>
            <small>{wordsOf(source)}</small>
          </li>
        ))}
      </ul>
    </Popover>
  );
}

function wordsOf({ state, kind, hasLeft, words, progress, restarts }: ShownSource): string {
  const [stateId, kindId] = [lookUp(STATES, state), lookUp(KINDS, kind)];
  return [
    ...(kindId === undefined ? [] : [tLater(kindId)]),
    ...(stateId === undefined ? [] : [tLater(stateId)]),
    ...(hasLeft ? [tLater("logs-page/source/left")] : []),
    ...(restarts === undefined || restarts === 0 ? [] : [tLater("logs-page/restarts", { count: restarts })]),
    ...(progress === undefined ? [] : [tLater("logs-page/source/counts", { lines: progress.lines, matches: progress.matches })]),
    ...(words === undefined ? [] : [messageText(words)]),
  ].join(" · ");
}

function lookUp<Value>(table: Readonly<Record<number, Value>>, key: number): Value | undefined {
  return table[key];
}
