"use client";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import Link from "next/link";
import { useDeferredValue, useMemo, type ReactNode } from "react";
import { formatClock } from "../../ui/format-time.ts";
import { messageText, t, tLater } from "../../ui/messages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { wordOfRow } from "../environments/index-filters.tsx";
import type { RowKnowledge } from "@binnacle/presentation/environments/row-knowledge";
import { NOT_KNOWN_YET, NOT_VISIBLE } from "@binnacle/presentation/environments/row-order";
import { SearchField } from "../filter/search-field.tsx";
import { STALE_AFTER_MS } from "@binnacle/presentation/view/freshness";
import { lookOf, WORST_FIRST } from "../live/health-status.ts";
import { AgentsMap } from "./agents-map.tsx";
import { OVERVIEW_VIEWS, useOverviewAddress, type OverviewAddress } from "./overview-address.ts";
import { Productions } from "./overview-cells.tsx";
import { GROUPINGS, groupItems, matrixOf } from "./overview-groups.ts";
import {
  changedSinceMs,
  filteredItems,
  itemsOf,
  knowledgeOfItem,
  numbersOf,
  type OverviewItem,
  type OverviewNumbers,
} from "./overview-items.ts";
import { OverviewList } from "./overview-list.tsx";
import { OverviewMatrix } from "./overview-matrix.tsx";
import type { OverviewState } from "./overview-state.ts";
import { OverviewViewsMenu } from "./overview-views-menu.tsx";
import styles from "./overview.module.css";
import { productionsOf } from "./versions.ts";
import { Wall } from "./wall.tsx";

/** Ages that decide about something change this often. */
const STEP_MS = 5_000;

interface OverviewBodyProps {
  readonly state: OverviewState;
  readonly title: string;
  /** The lines of all projects, as the start page has always had them. */
  readonly projects: ReactNode;
}

/** Everything of an overview below its head: totals that filter, and the environments as matrix, list or map of agents. */
export function OverviewBody({ state, title, projects }: OverviewBodyProps): ReactNode {
  const [address, set] = useOverviewAddress();
  const now = useNow(STEP_MS);
  const rows = useDeferredValue(state.rows);
  const sinceMs = changedSinceMs(now);
  const items = useMemo(() => itemsOf(rows, sinceMs), [rows, sinceMs]);
  const productions = useMemo(() => productionsOf(items), [items]);
  const numbers = useMemo(() => numbersOf(items), [items]);
  const { q, status, only } = address;
  const shown = useMemo(() => filteredItems(items, { q, status, only }), [items, q, status, only]);
  const isStale = state.lost || (state.lastMessageMs > 0 && now - state.lastMessageMs > STALE_AFTER_MS);
  const standing = { nowMs: now, lostSinceMs: isStale ? state.lastMessageMs : undefined };
  const knowledgeOf = (item: OverviewItem): RowKnowledge => knowledgeOfItem(item, standing, state.kept);
  const staleWords = isStale ? tLater("overview/not-connected", { at: formatClock(state.lastMessageMs, now) }) : "";
  if (address.wall) {
    const close = (): void => set({ wall: false }, "replace");
    return (
      <Productions value={productions}>
        <Wall {...{ title, items, numbers, knowledgeOf, staleWords }} onClose={close} />
      </Productions>
    );
  }
  return (
    <Productions value={productions}>
      <Totals {...{ state, numbers, address, staleWords }} set={set} />
      {address.view === "projects" ? projects : <Content {...{ state, address, items, shown, isStale, knowledgeOf }} set={set} />}
    </Productions>
  );
}

type SetAddress = ReturnType<typeof useOverviewAddress>[1];

function Totals(props: {
  readonly state: OverviewState;
  readonly numbers: OverviewNumbers;
  readonly address: OverviewAddress;
  readonly staleWords: string;
  readonly set: SetAddress;
}): ReactNode {
  const { state, numbers, address, staleWords, set } = props;
  const statuses = [...WORST_FIRST, HealthStatus.UNSPECIFIED, NOT_KNOWN_YET, NOT_VISIBLE];
  const isAll = address.status === undefined && address.only === undefined;
  return (
    <>
      <output className={styles["counts"]} data-overview-counts>
        {countWords(state, numbers)}
        {staleWords !== "" && <b> {staleWords}</b>}
      </output>
      <search className={styles["filters"]} aria-label={t("overview/title")}>
        <fieldset className={`seg ${styles["views"]}`} aria-label={tLater("overview/views")}>
          {OVERVIEW_VIEWS.map((view) => (
            <button key={view} type="button" aria-pressed={address.view === view} onClick={() => set({ view })}>
              {view === "projects" ? t("ui/projects") : tLater(VIEW_WORDS[view])}
            </button>
          ))}
        </fieldset>
        <SearchField label={tLater("overview/find")} value={address.q} onChange={(q) => set({ q }, "replace")} />
        <button type="button" className="chip" aria-pressed={isAll} onClick={() => set({ status: undefined, only: undefined })}>
          {tLater("environments/all", { length: numbers.all })}
        </button>
        <Chip
          count={numbers.attention}
          isPressed={address.only === "attention"}
          onPress={(on) => set({ only: on ? "attention" : undefined })}
        >
          {tLater("overview/attention")}
        </Chip>
        <Chip count={numbers.changed} isPressed={address.only === "changed"} onPress={(on) => set({ only: on ? "changed" : undefined })}>
          {tLater("overview/changed")}
        </Chip>
        {statuses.map((status) => {
          const count = numbers.byStatus.get(status) ?? 0;
          if (count === 0 && address.status !== status) return null;
          return (
            <Chip
              key={status}
              count={count}
              isPressed={address.status === status}
              onPress={(on) => set({ status: on ? status : undefined })}
            >
              {status !== NOT_KNOWN_YET && <StateGlyph look={status === NOT_VISIBLE ? "locked" : lookOf(status)} />}
              {wordOfRow(status)}
            </Chip>
          );
        })}
        <span className="grow" />
        {address.view === "list" && (
          <label className={styles["select"]}>
            {tLater("overview/group-by")}
            <select value={address.by} onChange={(event) => set({ by: GROUPINGS.find((each) => each === event.target.value) ?? "none" })}>
              {GROUPINGS.map((by) => (
                <option key={by} value={by}>
                  {tLater(by === "tier" ? "settings/tier" : `overview/group/${by}`)}
                </option>
              ))}
            </select>
          </label>
        )}
        {address.view === "matrix" && (
          <label className={styles["select"]}>
            {tLater("find/columns")}
            <select value={address.columns} onChange={(event) => set({ columns: event.target.value === "name" ? "name" : "tier" })}>
              <option value="tier">{tLater("settings/tier")}</option>
              <option value="name">{tLater("ui/name")}</option>
            </select>
          </label>
        )}
        <OverviewViewsMenu username={state.viewer?.username ?? ""} />
        <button type="button" className="btn sm" onClick={() => set({ wall: true })}>
          {tLater("overview/wall")}
        </button>
      </search>
    </>
  );
}

const VIEW_WORDS = { matrix: "overview/matrix", list: "ui/list", agents: "agents/agents" } as const;

function Chip(props: {
  readonly count: number;
  readonly isPressed: boolean;
  readonly onPress: (isPressed: boolean) => void;
  readonly children: ReactNode;
}): ReactNode {
  const { count, isPressed, onPress, children } = props;
  return (
    <button type="button" className="chip" aria-pressed={isPressed} onClick={() => onPress(!isPressed)}>
      {children} <b className="num">{count}</b>
    </button>
  );
}

/** How much of the overview is there. What is not read yet is never counted as if it were. */
function countWords({ totals }: OverviewState, { all, known, visible }: OverviewNumbers): string {
  if (totals === undefined) return t("overview/loading");
  const { projects, projectsRead, projectsFailed, complete, moreProjects } = totals;
  const count = complete
    ? tLater("overview/count-of-known", { known, all })
    : tLater("overview/count-so-far", { known, all, read: projectsRead, projects });
  const parts = [count];
  if (visible < all) parts.push(tLater("overview/visible", { visible, all }));
  if (projectsFailed > 0) parts.push(tLater("overview/failed-projects", { count: projectsFailed }));
  if (moreProjects) parts.push(tLater("overview/more-projects"));
  return parts.join(" · ");
}

function Content(props: {
  readonly state: OverviewState;
  readonly address: OverviewAddress;
  readonly items: readonly OverviewItem[];
  readonly shown: readonly OverviewItem[];
  readonly isStale: boolean;
  readonly knowledgeOf: (item: OverviewItem) => RowKnowledge;
  readonly set: SetAddress;
}): ReactNode {
  const { state, address, items, shown, isStale, knowledgeOf, set } = props;
  const matrix = useMemo(() => matrixOf(shown, address.columns), [shown, address.columns]);
  const groups = useMemo(() => groupItems(shown, address.by, state.groups), [shown, address.by, state.groups]);
  const agents = useMemo(() => groupItems(shown, "agent", state.groups), [shown, state.groups]);
  if (items.length === 0) return <Nothing state={state} />;
  if (shown.length === 0) {
    return (
      <StatePanel
        icon="search"
        message={tLater("overview/none-match")}
        actions={
          <button type="button" className="btn sm" onClick={() => set({ q: "", status: undefined, only: undefined })}>
            {tLater("ui/clear-filters")}
          </button>
        }
      />
    );
  }
  if (address.view === "list")
    return <OverviewList groups={groups} hasHeads={address.by !== "none"} isStale={isStale} knowledgeOf={knowledgeOf} />;
  if (address.view === "agents") return <AgentsMap agents={agents} onAgent={(name) => set({ view: "list", q: name })} />;
  return <OverviewMatrix matrix={matrix} isStale={isStale} />;
}

function Nothing({ state }: { readonly state: OverviewState }): ReactNode {
  if (state.problem !== undefined) {
    return (
      <StatePanel
        icon="off"
        role="alert"
        message={messageText(state.problem.words)}
        more={messageText(state.problem.details)}
        actions={
          <Link className="btn sm" href="/">
            {t("ui/all-projects")}
          </Link>
        }
      />
    );
  }
  if (state.totals?.complete !== true) return <Skeleton rows={8} label={t("overview/loading")} />;
  return <StatePanel icon="search" message={tLater("overview/empty")} more={tLater("overview/empty-hint")} />;
}
