"use client";
import { ConnectionState } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { everyWords } from "../../ui/every-words.ts";
import { formatAge, formatClock, millisOf } from "../../ui/format-time.ts";
import { say } from "../../ui/said.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import styles from "./environments.module.css";
import { oldWords, type KnownRow } from "./index-words.ts";
import { asOfMsOf, everyMsOf } from "./row-knowledge.ts";

/** The agent of an environment, and how it is connected. */
export function RowAgent({ row, knowledge }: KnownRow): ReactNode {
  const now = useNow(10_000);
  const environment = row.environment;
  if (environment === undefined || environment.agentId === 0n) return <span className="muted">{say("environments/no-agent")}</span>;
  const state = row.connection?.state;
  const look = state === ConnectionState.CONNECTED ? "healthy" : state === ConnectionState.RECONNECTING ? "missing" : "unknown";
  const since = row.connection?.since === undefined || now === 0 ? "" : ` ${formatAge(millisOf(row.connection.since), now)}`;
  return (
    <>
      <span className="row">
        <span className={`${styles["dot"]} ${look}`} />
        <span translate="no">{environment.agentName}</span>
      </span>
      <span className={styles["agentState"]}>
        <WithTimes text={stateWords({ row, knowledge }, since, now)} times={[asOfMsOf(row)]} now={now} />
      </span>
    </>
  );
}

/** How the agent is connected; of one that is, how new the numbers are. */
function stateWords({ row, knowledge }: KnownRow, since: string, now: number): string {
  const state = row.connection?.state;
  if (state === ConnectionState.RECONNECTING) return say("environments/state/reconnecting");
  if (state === ConnectionState.AGENT_OFFLINE) return say("environments/state/offline", { since });
  if (state === ConnectionState.KAS_UNREACHABLE) return say("environments/no-agent-server", { since });
  if (state === ConnectionState.API_DOWN) return say("environments/no-kubernetes-api", { since });
  if (state === ConnectionState.AGENT_NEVER_CONNECTED) return say("environments/never-connected");
  if (state !== ConnectionState.CONNECTED) return "";
  if (knowledge.kind === "old") return oldWords(knowledge);
  if (row.health === undefined) return say("environments/state/connected");
  return row.live
    ? say("environments/state/live")
    : say("live/kind-as-of", { at: formatClock(asOfMsOf(row), now), every: everyWords(everyMsOf(row)) });
}
