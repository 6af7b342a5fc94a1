"use client";
import { LogSourceState } from "@binnacle/proto/dashboard-logs";
import type { ReactNode } from "react";
import { formatSecond } from "../../../ui/format-time.ts";
import { messageText, tLater } from "../../../ui/messages.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import type { LogsState } from "../../address/logs-state.ts";
import { isFiltered } from "../read/log-request.ts";
import type { LogSnapshot } from "../store/log-store.ts";
import { MissingRole } from "../../resource/missing-role.tsx";
import styles from "./logs.module.css";

/** Why there is no line to show: these are never the same. */
export function NoLines(props: {
  readonly snapshot: LogSnapshot;
  readonly state: LogsState;
  readonly nowMs: number;
  readonly onRetry: () => void;
  readonly onReadAll: () => void;
}): ReactNode {
  const { snapshot, state, nowMs, onRetry, onReadAll } = props;
  const { reading, sources, isReadByAgent } = snapshot;
  const retry = (
    <button type="button" className="btn sm primary" onClick={onRetry}>
      {tLater("ui/try-again")}
    </button>
  );
  if (reading.kind === "rejected") {
    if (reading.isDenied) return <StatePanel icon="locked" message={tLater("logs-page/denied")} more={reading.reason} />;
    return <StatePanel icon="off" message={tLater("logs-page/rejected")} more={reading.reason} actions={retry} />;
  }
  // Before the first message nothing is known; a break is shown above.
  if (isReadByAgent === undefined) return <Loading />;
  const refused = sources.filter((source) => source.state === LogSourceState.REFUSED);
  if (refused.length > 0 && refused.length === sources.length) {
    const role = refused.find(({ roleYaml }) => roleYaml !== "")?.roleYaml ?? "";
    const more = (
      <>
        <p>{messageText(refused[0]?.words)}</p>
        <p>{tLater("logs-page/missing-rule")}</p>
        <MissingRole yaml={role} />
      </>
    );
    return <StatePanel icon="locked" message={tLater("logs-page/denied")} more={more} />;
  }
  if (sources.length === 0) return <StatePanel icon="container" message={tLater("logs-page/empty/sources")} />;
  if (sources.every((source) => source.state === LogSourceState.WAITING)) {
    return <StatePanel icon="container" message={tLater("logs-page/waiting")} />;
  }
  if (isFiltered(state)) return <Filtered snapshot={snapshot} state={state} onReadAll={onReadAll} />;
  if (state.previous) return <StatePanel icon="container" message={tLater("logs-page/empty/previous")} />;
  if (state.since === "") return <StatePanel icon="container" message={tLater("logs-page/empty")} />;
  const since = isSpan(state.since) ? tLater(`logs-page/ago/${state.since}`) : formatSecond(Date.parse(state.since), nowMs);
  return <StatePanel icon="container" message={tLater("logs-page/empty/since", { since })} />;
}

function isSpan(since: string): since is "5m" | "1h" | "24h" {
  return since === "5m" || since === "1h" || since === "24h";
}

function Filtered({
  snapshot,
  state,
  onReadAll,
}: {
  readonly snapshot: LogSnapshot;
  readonly state: LogsState;
  readonly onReadAll: () => void;
}): ReactNode {
  const counts = snapshot.sources.flatMap(({ progress }) => (progress === undefined ? [] : [progress.lines]));
  const { unlistedLines } = snapshot;
  const lines = counts.reduce((sum, each) => sum + each, unlistedLines);
  const say =
    counts.length === 0 && unlistedLines === 0 ? tLater("logs-page/hidden-filter/unknown") : tLater("logs-page/hidden-filter", { lines });
  const all =
    state.tail === "all" ? undefined : (
      <button type="button" className="btn sm primary" onClick={onReadAll}>
        {tLater("logs-page/search-all")}
      </button>
    );
  return <StatePanel icon="search" message={say} actions={all} />;
}

function Loading(): ReactNode {
  return (
    <div className={styles["pad"]}>
      <Skeleton rows={6} label={tLater("logs-page/loading")} />
    </div>
  );
}
