"use client";
import type { EnvironmentHealth, EnvironmentRow, Words } from "@binnacle/proto/dashboard";
import { ConnectionState, ProblemKind } from "@binnacle/proto/dashboard-enums";
import Link from "next/link";
import { memo, type ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { everyWords } from "../../ui/every-words.ts";
import { said, say } from "../../ui/said.ts";
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
        <Link className={styles["name"]} translate="no" href={environmentPath(environment?.projectPath ?? "", name)}>
          {name}
        </Link>
        <FavouriteStar projectPath={environment?.projectPath ?? ""} environment={name} />
        <span className={styles["sub"]} translate={hostOf(environment?.externalUrl ?? "") === "" ? undefined : "no"}>
          {hostOf(environment?.externalUrl ?? "") || tierOf(environment?.tier ?? "")}
        </span>
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
          {problem.kind === ProblemKind.NO_AGENT ? say("environments/no-visible-agent") : say("environments/unknown")}
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
        <span className="muted">{say("environments/not-known-yet")}</span>
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
        {health.partial ? say("environments/partial") : ""}
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
  const others = issue.membersTotal > 1 ? say("environments/and-more", { count: issue.membersTotal - 1 }) : "";
  const { kind = "", name = "" } = issue.members[0]?.ref ?? {};
  return say("environments/worst", { kind, name: shortenMiddle(drawnName(name), NAME_CHARS), others, reason: reasonOfIssue(issue) });
}

/** Which kinds are hidden has a column of its own. */
function withoutHidden(words: Words | undefined): Words | undefined {
  return words && { ...words, facts: words.facts.filter(({ name }) => name !== "hidden" && name !== "unknown") };
}

function Forbidden({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const why =
    row.problem === undefined
      ? say("environments/your-roles-let", {
          what: said(row.environment?.scope) || say("environments/namespace", { namespace: row.environment?.namespace }),
        })
      : say("environments/you-not-in", { agentName: row.environment?.agentName });
  return (
    <>
      <span className="st locked">
        <StateGlyph look="locked" />
        {say("environments/not-visible-you")}
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
  const asOf = knowledge.kind === "old" ? say("environments/as-of", { at: formatClock(knowledge.asOfMs, now) }) : "";
  const dated = (text: string): ReactNode =>
    knowledge.kind === "old" ? <WithTimes text={text} times={[knowledge.asOfMs]} now={now} /> : text;
  if (row.workloads === 0) return <span className="muted">{dated(say("environments/none", { asOf }))}</span>;
  // What is red is what fails: nobody has to do anything about what was paused.
  const isAllPaused = row.workloadsSuspended > 0 && row.workloadsReady + row.workloadsSuspended === row.workloads;
  return (
    <>
      <ReplicaBar ready={row.workloadsReady} wanted={row.workloads} rest={isAllPaused ? "suspended" : lookOf(row.health.status)} />
      <span className={`${styles["sub"]} num`}>
        {say("environments/of", { workloadsReady: row.workloadsReady, workloads: row.workloads })}
        {row.workloadsSuspended > 0 && say("environments/paused", { workloadsSuspended: row.workloadsSuspended })}
        {dated(asOf)}
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
function stateWords({ row, knowledge }: Known, since: string, now: number): string {
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
    : say("environments/told-as-of", { at: formatClock(asOfMsOf(row), now), every: everyWords(everyMsOf(row)) });
}

function Access({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const hidden = row.health?.hidden ?? [];
  if (row.health === undefined) return <span className="muted">–</span>;
  if (row.workloadsOnly) {
    return (
      <span className={styles["access"]} title={say("environments/only-pods-what")}>
        {say("environments/workloads-only")}
      </span>
    );
  }
  return hidden.length > 0 ? (
    <span className={styles["access"]} title={say("environments/not-visible", { hidden: hidden.join(", ") })}>
      <StateGlyph look="locked" size={14} />
      {say("environments/partial-word")}
    </span>
  ) : (
    <span className={styles["access"]}>
      <Icon name="check" size={14} />
      {say("environments/full")}
    </span>
  );
}

function hostOf(url: string): string {
  return url.replace(/^[a-z]+:\/\//, "").replace(/\/$/, "");
}

function tierOf(tier: string): string {
  return tier === "" ? "" : say("environments/tier", { tier });
}
