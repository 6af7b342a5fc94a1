"use client";
import { LogSourceState } from "@binnacle/proto/dashboard-logs";
import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { formatSecond } from "../../../ui/format-time.ts";
import { messageText, tLater } from "../../../ui/messages.ts";
import { MissingRole } from "../../resource/missing-role.tsx";
import type { ShownSource } from "../store/log-sources.ts";
import type { LogSnapshot } from "../store/log-store.ts";
import styles from "./logs.module.css";

/** So many sources are named in a sentence. */
const MAX_NAMED = 6;

/** What of the lines is missing, and why: each source that is not read, a break, lines that fell off. */
export function LogNotices(props: {
  readonly snapshot: LogSnapshot;
  readonly labels: ReadonlyMap<number, string>;
  /** Time of the line of a link that was not found. */
  readonly missingLine: string | undefined;
  readonly nowMs: number;
}): ReactNode {
  const { snapshot, labels, missingLine, nowMs } = props;
  const { sources, reading, dropped, isReadByAgent } = snapshot;
  const inState = (state: LogSourceState): readonly ShownSource[] => sources.filter((source) => source.state === state);
  const namesOf = (list: readonly ShownSource[]): string => namesIn(list.map(({ id }) => labels.get(id) ?? ""));
  const refused = inState(LogSourceState.REFUSED);
  const overLimit = inState(LogSourceState.OVER_LIMIT);
  const failed = inState(LogSourceState.FAILED);
  const role = refused.find(({ roleYaml }) => roleYaml !== "")?.roleYaml ?? "";
  const notices: { readonly key: string; readonly text: string; readonly look?: string; readonly more?: ReactNode }[] = [];
  if (reading.kind === "session-ended") notices.push({ key: "ended", text: tLater("logs-page/session-ended"), look: "unknown" });
  if (reading.kind === "lost") {
    const text = tLater("logs-page/lost", { at: formatSecond(reading.sinceMs, nowMs), reason: reading.reason });
    notices.push({ key: "lost", text, look: "missing" });
  }
  if (reading.kind === "full") notices.push({ key: "full", text: tLater("logs-page/full"), look: "missing" });
  if (reading.kind === "rejected" && snapshot.rows.length > 0)
    notices.push({ key: "rejected", text: `${tLater("logs-page/rejected")}: ${reading.reason}`, look: "degraded" });
  // Without a line the notice replaces the lines.
  if (refused.length > 0 && (refused.length < sources.length || snapshot.rows.length > 0)) {
    const text = tLater("logs-page/refused", { names: namesOf(refused), said: messageText(refused[0]?.words) || undefined });
    notices.push({ key: "refused", text, look: "locked", more: <MissingRole yaml={role} /> });
  }
  if (overLimit.length > 0) {
    const facts = { count: overLimit.length, names: namesOf(overLimit), said: messageText(overLimit[0]?.words) || undefined };
    notices.push({ key: "over-limit", text: tLater("logs-page/over-limit", facts) });
  }
  if (failed.length > 0) {
    const text = tLater("logs-page/read-failing", { count: failed.length, said: messageText(failed[0]?.words) || undefined });
    notices.push({ key: "failed", text, look: "missing" });
  }
  if (isReadByAgent === false && reading.kind !== "rejected") notices.push({ key: "read-here", text: tLater("kas/logs-read-here") });
  if (missingLine !== undefined) notices.push({ key: "line", text: tLater("logs-page/line-not-found", { at: missingLine }) });
  if (dropped.lines > 0) {
    const at = formatSecond(Number(dropped.untilNanos / 1_000_000n), nowMs);
    notices.push({ key: "dropped", text: tLater("logs-page/dropped", { count: dropped.lines, at }) });
  }
  if (notices.length === 0) return null;
  return (
    <ul className={styles["notices"]}>
      {notices.map(({ key, text, look = "", more }) => (
        <li key={key} className={look} data-notice={key}>
          <Icon name="info" size={14} /> <span>{text}</span>
          {more}
        </li>
      ))}
    </ul>
  );
}

function namesIn(names: readonly string[]): string {
  const [few, more] = [names.slice(0, MAX_NAMED), names.length - MAX_NAMED];
  return more > 0 ? `${few.join(", ")} +${more}` : few.join(", ");
}
