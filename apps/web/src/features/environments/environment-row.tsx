"use client";
import { ConnectionState, ProblemKind, type EnvironmentHealth, type EnvironmentRow } from "@binnacle/proto/dashboard";
import Link from "next/link";
import { memo, type ReactNode } from "react";
import { formatAbsolute, formatAge, formatClock, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { ReplicaBar } from "../../ui/replica-bar.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { isProblem, keyOfStatus, lookOf, wordOf } from "../live/health-status.ts";
import styles from "./environments.module.css";
import { environmentPath } from "./route-path.ts";
import { isForbidden } from "./row-order.ts";

/** One environment. A row that may not be seen keeps its place, with a lock and without numbers. */
export const EnvironmentRowView = memo(function EnvironmentRowView({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const environment = row.environment;
  const name = environment?.name ?? "";
  const look = row.health === undefined ? "unknown" : lookOf(row.health.status);
  const forbidden = isForbidden(row);
  const stale = row.connection?.state === ConnectionState.AGENT_OFFLINE || row.problem?.kind === ProblemKind.UNAVAILABLE;
  const hot = row.health !== undefined && isProblem(row.health.status);
  const classes = [
    styles["row"],
    look,
    stale ? `${styles["stale"]} stale-data` : "",
    forbidden ? `${styles["forbidden"]} hatch` : "",
    hot ? styles["hot"] : "",
  ];
  return (
    <tr
      className={classes.join(" ")}
      data-environment={name}
      data-health={row.health === undefined ? "none" : keyOfStatus(row.health.status)}
    >
      <th scope="row">
        <Link className={styles["name"]} href={environmentPath(environment?.projectPath ?? "", name)}>
          {name}
        </Link>
        <span className={styles["sub"]}>{hostOf(environment?.externalUrl ?? "") || tierOf(environment?.tier ?? "")}</span>
      </th>
      <td>{forbidden ? <Forbidden row={row} /> : <Health row={row} />}</td>
      <td>{!forbidden && row.problem === undefined && <Workloads row={row} stale={stale} />}</td>
      <td className="nowrap">{!forbidden && row.lastChange !== undefined && <LastChange atMs={millisOf(row.lastChange)} />}</td>
      <td className="nowrap">
        <Agent row={row} />
      </td>
      <td>{row.problem === undefined && <Access row={row} />}</td>
    </tr>
  );
});

function Health({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const { health, problem } = row;
  if (problem !== undefined) {
    return (
      <>
        <span className="st unknown">
          <StateGlyph look="unknown" />
          {problem.kind === ProblemKind.NO_AGENT ? "Not configured" : "Unknown"}
        </span>
        <span className={styles["reason"]} title={problem.message}>
          {problem.message}
        </span>
      </>
    );
  }
  if (health === undefined) return <span className="muted">Not known yet</span>;
  const reason = reasonOf(health);
  return (
    <>
      <span className={`st ${lookOf(health.status)}`}>
        <StateGlyph look={lookOf(health.status)} />
        {wordOf(health.status)}
        {health.partial ? " (partial)" : ""}
      </span>
      {reason !== "" && (
        <span className={styles["reason"]} title={health.message}>
          {reason}
        </span>
      )}
    </>
  );
}

/** `name: Reason` of the worst resource; a sentence when nothing is wrong. What is hidden has a column of its own. */
function reasonOf(health: EnvironmentHealth): string {
  const [cause] = health.causes;
  if (cause === undefined) return health.message.split("; ")[0] ?? "";
  return [cause.ref?.name, health.reason].filter((part) => part !== undefined && part !== "").join(": ");
}

function Forbidden({ row }: { readonly row: EnvironmentRow }): ReactNode {
  return (
    <>
      <span className="st locked">
        <StateGlyph look="locked" />
        Not visible to you
      </span>
      <span className={styles["reason"]} title={row.problem?.message}>
        You are not in user_access of agent {row.environment?.agentName}
      </span>
    </>
  );
}

function Workloads({ row, stale }: { readonly row: EnvironmentRow; readonly stale: boolean }): ReactNode {
  const now = useNow(10_000);
  if (row.health === undefined) return <span className="muted">–</span>;
  if (row.workloads === 0) return <span className="muted">None</span>;
  const asOf = stale && row.asOf !== undefined ? ` as of ${formatClock(millisOf(row.asOf), now)}` : "";
  return (
    <>
      <ReplicaBar ready={row.workloadsReady} wanted={row.workloads} rest={lookOf(row.health.status)} />
      <span className={`${styles["sub"]} num`}>
        {row.workloadsReady} of {row.workloads}
        {asOf}
      </span>
    </>
  );
}

function LastChange({ atMs }: { readonly atMs: number }): ReactNode {
  const now = useNow(1000);
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formatAbsolute(atMs)}>
      {formatAge(atMs, now)} ago
    </time>
  );
}

function Agent({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const now = useNow(10_000);
  const environment = row.environment;
  if (environment === undefined || environment.agentId === 0n) return <span className="muted">None</span>;
  const state = row.connection?.state;
  const look = state === ConnectionState.CONNECTED ? "healthy" : state === ConnectionState.RECONNECTING ? "missing" : "unknown";
  const since = row.connection?.since === undefined ? "" : ` ${formatAge(millisOf(row.connection.since), now)}`;
  return (
    <>
      <span className="row">
        <span className={`dotst ${look}`} />
        {environment.agentName}
      </span>
      <span className={styles["agentState"]}>{agentWords(state, since)}</span>
    </>
  );
}

function agentWords(state: ConnectionState | undefined, since: string): string {
  if (state === ConnectionState.CONNECTED) return "connected";
  if (state === ConnectionState.RECONNECTING) return "reconnecting";
  if (state === ConnectionState.AGENT_OFFLINE) return `offline${since}`;
  if (state === ConnectionState.AGENT_NEVER_CONNECTED) return "never connected";
  return "";
}

function Access({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const hidden = row.health?.hidden ?? [];
  if (row.health === undefined) return <span className="muted">–</span>;
  return hidden.length > 0 ? (
    <span className={styles["access"]} title={`Not visible: ${hidden.join(", ")}`}>
      <StateGlyph look="locked" size={14} />
      Partial
    </span>
  ) : (
    <span className={styles["access"]}>
      <Icon name="check" size={14} />
      Full
    </span>
  );
}

function hostOf(url: string): string {
  return url.replace(/^[a-z]+:\/\//, "").replace(/\/$/, "");
}

function tierOf(tier: string): string {
  return tier === "" ? "" : `Tier: ${tier}`;
}
