"use client";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import { NO_LOGS_STATE } from "../address/logs-state.ts";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";
import { hasLogs } from "./has-logs.ts";
import styles from "./node-link.module.css";

/** So much before something happened its log is read too. */
const BEFORE_MS = 60_000;

/** Which lines of a log are meant. */
export interface LogsAtTime {
  readonly of: ResourceRef | undefined;
  readonly atMs: number | undefined;
  readonly container?: string;
}

/**
 * Leads to the log lines of a resource from shortly before a time on; nothing where there are no logs.
 *
 * @param props.atMs milliseconds since 1970 @param props.container the only one that is read; default: all @param props.children its text; default: "Logs"
 */
export function LogsLink({
  of,
  atMs,
  container = "",
  children,
}: LogsAtTime & {
  readonly children?: ReactNode;
}): ReactNode {
  if (of === undefined || !hasLogs(of) || atMs === undefined || Number.isNaN(new Date(atMs).getTime())) return null;
  const since = new Date(atMs - BEFORE_MS).toISOString();
  return (
    <StateLink
      change={{ sel: selectionOf(of), tab: "logs", logs: { ...NO_LOGS_STATE, since, containers: container === "" ? [] : [container] } }}
      opensDrawer
      className={styles["beside"]}
    >
      {children ?? tLater("logs-page/at-time")}
    </StateLink>
  );
}
