"use client";
import type { EnvironmentHealth, EnvironmentRow, Words } from "@binnacle/proto/dashboard";
import { ConnectionState, ProblemKind } from "@binnacle/proto/dashboard-enums";
import Link from "next/link";
import { memo, type ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { everyWords } from "../../ui/every-words.ts";
import { said } from "../../ui/said.ts";
import { formatAge, formatClock, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { ReplicaBar } from "../../ui/replica-bar.tsx";
import { drawnName } from "../../ui/drawn-name.ts";
import { shortenMiddle } from "../../ui/shorten-middle.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { isProblem, keyOfStatus, lookOf, wordOf } from "../live/health-status.ts";
import { FavouriteStar } from "../favourites/favourite-star.tsx";
import { reasonOfIssue } from "../why/issue-words.ts";
import styles from "./environments.module.css";
import { oldWords, unknownWords } from "./index-words.ts";
import { environmentPath } from "../address/route-path.ts";
import { RowDeployment } from "./row-deployment.tsx";
import { asOfMsOf, everyMsOf, type RowKnowledge } from "./row-knowledge.ts";
import { isForbidden } from "./row-order.ts";

/** What a row shows. */
export interface EnvironmentRowProps {
  readonly row: EnvironmentRow;
  readonly knowledge: RowKnowledge;
  /** Its place in the whole table, from 1; the head is the first. */
  readonly rowIndex: number;
}

/** One environment. A row that may not be seen keeps its place, with a lock and without numbers. */
export const EnvironmentRowView = memo(function EnvironmentRowView({ row, knowledge, rowIndex }: EnvironmentRowProps): ReactNode {
  const environment = row.environment;
  const name = environment?.name ?? "";
  const look = row.health === undefined ? "unknown" : lookOf(row.health.status);
  const forbidden = isForbidden(row);
  const old = knowledge.kind === "old";
  const hot = row.health !== undefined && isProblem(row.health.status);
  const classes = [
    styles["row"],
    look,
    old ? `${styles["stale"]} stale-data` : "",
    forbidden ? `${styles["forbidden"]} hatch` : "",
    hot ? styles["hot"] : "",
  ];
  return (
    <tr
      className={classes.join(" ")}
      aria-rowindex={rowIndex}
      data-environment={name}
      data-health={row.health === undefined ? "none" : keyOfStatus(row.health.status)}
      data-knowledge={knowledge.kind}
    >
      <th scope="row">
        <Link className={styles["name"]} href={environmentPath(environment?.projectPath ?? "", name)}>
          {name}
        </Link>
        <FavouriteStar projectPath={environment?.projectPath ?? ""} environment={name} />
        <span className={styles["sub"]}>{hostOf(environment?.externalUrl ?? "") || tierOf(environment?.tier ?? "")}</span>
      </th>
      <td>{forbidden ? <Forbidden row={row} /> : <Health row={row} knowledge={knowledge} />}</td>
      <td>{!forbidden && row.problem === undefined && <Workloads row={row} knowledge={knowledge} />}</td>
      <td className="nowrap">
        {!forbidden && row.lastChange !== undefined && <LastChange atMs={millisOf(row.lastChange)} />}
        {environment?.deployment !== undefined && <RowDeployment deployment={environment.deployment} />}
      </td>
      <td className="nowrap">
        <Agent row={row} knowledge={knowledge} />
      </td>
      <td>{row.problem === undefined && <Access row={row} />}</td>
    </tr>
  );
}, isSameRow);

/** How well a row is known is found anew every second; mostly it is the same. */
function isSameRow(before: EnvironmentRowProps, after: EnvironmentRowProps): boolean {
  if (before.row !== after.row || before.rowIndex !== after.rowIndex) return false;
  const [a, b] = [before.knowledge, after.knowledge];
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

type Known = Pick<EnvironmentRowProps, "row" | "knowledge">;

function Health({ row, knowledge }: Known): ReactNode {
  const { health, problem } = row;
  if (problem !== undefined && health === undefined) {
    return (
      <>
        <span className="st unknown">
          <StateGlyph look="unknown" />
          {problem.kind === ProblemKind.NO_AGENT ? "No visible agent" : "Unknown"}
        </span>
        <span className={styles["reason"]} title={said(problem.words)}>
          {said(problem.words)}
        </span>
      </>
    );
  }
  if (health === undefined) {
    const why = knowledge.kind === "unknown" ? unknownWords(knowledge, row) : "";
    return (
      <>
        <span className="muted">Not known yet</span>
        {why !== "" && (
          <span className={`${styles["reason"]} ${styles["flush"]}`} title={why}>
            {why}
          </span>
        )}
      </>
    );
  }
  const reason = reasonOf(health);
  return (
    <>
      <span className={`st ${lookOf(health.status)}`}>
        <StateGlyph look={lookOf(health.status)} />
        {wordOf(health.status)}
        {health.partial ? " (partial)" : ""}
      </span>
      {reason !== "" && (
        <span className={styles["reason"]} title={said(health.words)}>
          {reason}
        </span>
      )}
    </>
  );
}

/** So much of a name leaves room for the reason beside it. */
const NAME_CHARS = 28;

/** `Kind name: Reason` of the worst issue; a sentence when nothing is wrong. What is hidden has a column of its own. */
function reasonOf(health: EnvironmentHealth): string {
  const [issue] = health.issues;
  if (issue === undefined) return said(withoutHidden(health.words));
  const others = issue.membersTotal > 1 ? ` and ${issue.membersTotal - 1} more` : "";
  const { kind = "", name = "" } = issue.members[0]?.ref ?? {};
  return `${kind} ${shortenMiddle(drawnName(name), NAME_CHARS)}${others}: ${reasonOfIssue(issue)}`;
}

/** Which kinds are hidden has a column of its own. */
function withoutHidden(words: Words | undefined): Words | undefined {
  return words && { ...words, facts: words.facts.filter(({ name }) => name !== "hidden" && name !== "unknown") };
}

function Forbidden({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const why =
    row.problem === undefined
      ? `Your roles let you read nothing of ${said(row.environment?.scope) || `namespace ${row.environment?.namespace}`}`
      : `You are not in user_access of agent ${row.environment?.agentName}`;
  return (
    <>
      <span className="st locked">
        <StateGlyph look="locked" />
        Not visible to you
      </span>
      <span className={styles["reason"]} title={said(row.problem?.words ?? row.gapWords)}>
        {why}
      </span>
    </>
  );
}

function Workloads({ row, knowledge }: Known): ReactNode {
  const now = useNow(10_000);
  if (row.health === undefined) return <span className="muted">–</span>;
  const asOf = knowledge.kind === "old" ? ` as of ${formatClock(knowledge.asOfMs, now)}` : "";
  const dated = knowledge.kind === "old" && <WithTimes text={asOf} times={[knowledge.asOfMs]} now={now} />;
  if (row.workloads === 0) return <span className="muted">None{dated}</span>;
  // What is red is what fails: nobody has to do anything about what was paused.
  const isAllPaused = row.workloadsSuspended > 0 && row.workloadsReady + row.workloadsSuspended === row.workloads;
  return (
    <>
      <ReplicaBar ready={row.workloadsReady} wanted={row.workloads} rest={isAllPaused ? "suspended" : lookOf(row.health.status)} />
      <span className={`${styles["sub"]} num`}>
        {row.workloadsReady} of {row.workloads}
        {row.workloadsSuspended > 0 && `, ${row.workloadsSuspended} paused`}
        {dated}
      </span>
    </>
  );
}

function LastChange({ atMs }: { readonly atMs: number }): ReactNode {
  return <Ago atMs={atMs} now={useNow(1000)} />;
}

function Agent({ row, knowledge }: Known): ReactNode {
  const now = useNow(10_000);
  const environment = row.environment;
  if (environment === undefined || environment.agentId === 0n) return <span className="muted">None</span>;
  const state = row.connection?.state;
  const look = state === ConnectionState.CONNECTED ? "healthy" : state === ConnectionState.RECONNECTING ? "missing" : "unknown";
  const since = row.connection?.since === undefined || now === 0 ? "" : ` ${formatAge(millisOf(row.connection.since), now)}`;
  return (
    <>
      <span className="row">
        <span className={`${styles["dot"]} ${look}`} />
        {environment.agentName}
      </span>
      <span className={styles["agentState"]}>
        <WithTimes text={stateWords({ row, knowledge }, since, now)} times={[asOfMsOf(row)]} now={now} />
      </span>
    </>
  );
}

/** How the agent is connected; of one that is, how new the numbers are. */
function stateWords({ row, knowledge }: Known, since: string, now: number): string {
  const state = row.connection?.state;
  if (state === ConnectionState.RECONNECTING) return "reconnecting";
  if (state === ConnectionState.AGENT_OFFLINE) return `offline${since}`;
  if (state === ConnectionState.KAS_UNREACHABLE) return `no agent server${since}`;
  if (state === ConnectionState.API_DOWN) return `no Kubernetes API${since}`;
  if (state === ConnectionState.AGENT_NEVER_CONNECTED) return "never connected";
  if (state !== ConnectionState.CONNECTED) return "";
  if (knowledge.kind === "old") return oldWords(knowledge);
  if (row.health === undefined) return "connected";
  return row.live ? "live" : `as of ${formatClock(asOfMsOf(row), now)}${everyWords(everyMsOf(row))}`;
}

function Access({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const hidden = row.health?.hidden ?? [];
  if (row.health === undefined) return <span className="muted">–</span>;
  if (row.workloadsOnly) {
    return (
      <span className={styles["access"]} title="Only pods and what makes them are looked at: your roles do not cover the whole cluster">
        Workloads only
      </span>
    );
  }
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
