"use client";
import { HealthStatus, ProblemKind } from "@binnacle/proto/dashboard";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { AppBar, type Crumb } from "../../ui/app-bar.tsx";
import { formatSecond } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useSearchKey } from "../../ui/use-search-key.ts";
import { lookOf, WORST_FIRST, wordOf } from "../live/health-status.ts";
import { STALE_AFTER_MS } from "../live/freshness.ts";
import { signInPath } from "../session/sign-in-path.ts";
import { SessionEnded } from "../session/session-ended.tsx";
import { UserMenu } from "../session/user-menu.tsx";
import { useViewer } from "../session/use-viewer.ts";
import { EnvironmentRowView } from "./environment-row.tsx";
import styles from "./environments.module.css";
import { indexPath } from "./route-path.ts";
import { isForbidden, statusOfRow } from "./row-order.ts";
import { useEnvironments, type EnvironmentsState } from "./use-environments.ts";
import { useHeldOrder } from "./use-held-order.ts";

/** Environments of a project, live, worst first. */
export function EnvironmentsPage({ projectPath }: { readonly projectPath: string }): ReactNode {
  const state = useEnvironments(projectPath);
  const router = useRouter();
  const [text, setText] = useState("");
  const [status, setStatus] = useState<number>();
  const now = useNow();
  const stale = state.lastMessageMs > 0 && now - state.lastMessageMs > STALE_AFTER_MS;
  const ended = state.problem?.kind === ProblemKind.UNAUTHENTICATED;
  const bare = ended && state.lastMessageMs === 0;
  const viewer = useViewer(state.viewer, state.problem !== undefined && !ended);
  useEffect(() => {
    if (bare) router.replace(signInPath(location.pathname));
  }, [bare, router]);
  const { names, handlers } = useHeldOrder(state.rows);
  const shown = names.filter((name) => {
    if (!name.toLowerCase().includes(text.trim().toLowerCase())) return false;
    return status === undefined || statusOfRow(state.rows.get(name)) === status;
  });
  return (
    <div className="page">
      <AppBar crumbs={crumbsOf(projectPath)}>
        <UserMenu viewer={viewer} />
      </AppBar>
      {ended && !bare && <SessionEnded />}
      <main id="content" className={styles["main"]}>
        <div className={styles["head"]}>
          <h1>Environments</h1>
          <p>{summaryOf(state)}</p>
        </div>
        {state.rows.size > 0 && <Filters state={state} text={text} status={status} onText={setText} onStatus={setStatus} />}
        <Content
          state={state}
          shown={shown}
          stale={stale || ended}
          handlers={handlers}
          onClear={() => (setText(""), setStatus(undefined))}
        />
        {state.rows.size > 0 && (
          <p className={styles["foot"]}>
            <FootState state={state} stale={stale} />
            <span>Sorted by worst, then newest change</span>
            <span className="grow" />
            <span>
              {shown.length} of {state.rows.size} environments
            </span>
          </p>
        )}
      </main>
    </div>
  );
}

function Content(props: {
  readonly state: EnvironmentsState;
  readonly shown: readonly string[];
  readonly stale: boolean;
  readonly handlers: ReturnType<typeof useHeldOrder>["handlers"];
  readonly onClear: () => void;
}): ReactNode {
  const { state, shown, stale, handlers, onClear } = props;
  const problem = state.problem;
  if (problem !== undefined && problem.kind !== ProblemKind.UNAUTHENTICATED && state.rows.size === 0) {
    return (
      <StatePanel
        icon={problem.kind === ProblemKind.NOT_FOUND ? "search" : "off"}
        say={problem.message}
        more={problem.detail}
        role="alert"
      />
    );
  }
  if (state.rows.size === 0 && state.complete) {
    return (
      <StatePanel icon="search" say="This project has no environments." more="An environment appears here with its first deployment." />
    );
  }
  if (state.rows.size === 0)
    return <Skeleton rows={5} label={state.lost ? "Binnacle does not answer; trying again" : "Loading environments"} />;
  if (shown.length === 0) {
    return (
      <StatePanel
        icon="search"
        say={`No environment matches. ${state.rows.size} hidden by filters.`}
        actions={
          <button type="button" className="btn sm primary" onClick={onClear}>
            Clear filters
          </button>
        }
      />
    );
  }
  return (
    <div className={`panel ${styles["scroll"]}`} {...handlers}>
      <table className={`${styles["table"]} ${stale ? "stale-data" : ""}`} data-stale={stale}>
        <caption className="visually-hidden">Environments, worst first</caption>
        <thead>
          <tr>
            <th scope="col">Environment</th>
            <th scope="col" aria-sort="descending">
              Health <Icon name="down" size={12} />
            </th>
            <th scope="col">Workloads ready</th>
            <th scope="col">Last change</th>
            <th scope="col">Agent</th>
            <th scope="col">Access</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((name) => {
            const row = state.rows.get(name);
            return row === undefined ? null : <EnvironmentRowView key={name} row={row} />;
          })}
        </tbody>
      </table>
    </div>
  );
}

function Filters(props: {
  readonly state: EnvironmentsState;
  readonly text: string;
  readonly status: number | undefined;
  readonly onText: (text: string) => void;
  readonly onStatus: (status: number | undefined) => void;
}): ReactNode {
  const { state, text, status, onText, onStatus } = props;
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(input);
  const rows = [...state.rows.values()];
  return (
    <search className={styles["filters"]} aria-label="Environments">
      <span className="find" style={{ width: 200 }}>
        <Icon name="search" size={14} />
        <input
          ref={input}
          type="search"
          aria-label="Filter by name"
          placeholder="Filter by name"
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
        <kbd>/</kbd>
      </span>
      <button type="button" className="chip" aria-pressed={status === undefined} onClick={() => onStatus(undefined)}>
        All <b className="num">{rows.length}</b>
      </button>
      {[...WORST_FIRST, HealthStatus.UNSPECIFIED].map((each) => {
        const count = rows.filter((row) => statusOfRow(row) === each).length;
        if (count === 0 && status !== each) return null;
        return (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={status === each}
            onClick={() => onStatus(status === each ? undefined : each)}
          >
            <StateGlyph look={lookOf(each)} />
            {wordOf(each)} <b className="num">{count}</b>
          </button>
        );
      })}
    </search>
  );
}

function FootState({ state, stale }: { readonly state: EnvironmentsState; readonly stale: boolean }): ReactNode {
  const now = useNow();
  const at = formatSecond(state.lastMessageMs, now);
  if (stale) return <span className="row">Stale, as of {at}</span>;
  if (state.lost) return <span className="row">Reconnecting, as of {at}</span>;
  return (
    <span className="row">
      <span className="live" />
      Live
    </span>
  );
}

function summaryOf(state: EnvironmentsState): string {
  if (state.rows.size === 0) return " ";
  const rows = [...state.rows.values()];
  const visible = rows.filter((row) => !isForbidden(row)).length;
  const attention = rows.filter((row) => (row.health?.status ?? 0) >= 4).length;
  const seen =
    visible === rows.length
      ? `${rows.length} ${rows.length === 1 ? "environment" : "environments"}.`
      : `${visible} of ${rows.length} visible to you.`;
  if (visible === 0) return seen;
  return attention === 0 ? `${seen} None needs attention.` : `${seen} ${attention} ${attention === 1 ? "needs" : "need"} attention.`;
}

function crumbsOf(projectPath: string): readonly Crumb[] {
  const segments = projectPath.split("/");
  return [
    ...segments.map((text, index) => (index === segments.length - 1 ? { text, href: indexPath(projectPath) } : { text })),
    { text: "Environments" },
  ];
}
