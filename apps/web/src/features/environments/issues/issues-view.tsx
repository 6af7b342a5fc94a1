"use client";
import { words, type Words } from "@binnacle/words";
import { type ReactNode, useRef } from "react";
import { formatClock } from "../../../ui/format-time.ts";
import { StateGlyph } from "../../../ui/state-glyph.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { WithTimes } from "../../../ui/with-times.tsx";
import type { IndexState } from "../../address/index-state.ts";
import { useIndexState } from "../../address/use-index-state.ts";
import { SearchField } from "../../filter/search-field.tsx";
import { lookOfIssue } from "../../why/issue-glyph.tsx";
import { ISSUE_STATUSES, NOTICE, statusKeyOf, statusWordOf } from "@binnacle/presentation/health/issue-filter";
import { SortChoice } from "../../why/sort-choice.tsx";
import styles from "../environments.module.css";
import { timesOf, type KnownRow } from "@binnacle/presentation/environments/index-words";
import { listIssues, type IssueList } from "./listed-issues.ts";
import { tLater, t } from "../../../ui/messages.ts";
import { tLaterElements } from "../../../ui/message-elements.ts";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useHydrated } from "../../../ui/use-hydrated.ts";
import { IssueLine, UntoldLine } from "./issue-line.tsx";
import { usePrinting } from "../../../ui/use-printing.ts";
import issuesStyles from "./issues.module.css";

/** A line with a sentence of one row; they are measured. */
const LINE_PX = 65;

const OVERSCAN = 10;

/** Lines before anything is measured: more than a screen has. */
const FIRST_LINES = 30;

/** What the list of issues is made of. */
interface IssuesViewProps {
  readonly rows: readonly KnownRow[];
  /** Milliseconds since the epoch, by the server's clock. */
  readonly nowMs: number;
}

/** All issues of all environments of a project, as the address says. */
export function IssuesView(props: IssuesViewProps): ReactNode {
  const [url, setUrl] = useIndexState();
  return <IssuesBoard {...props} url={url} setUrl={setUrl} />;
}

interface Addressed {
  readonly url: IndexState;
  readonly setUrl: ReturnType<typeof useIndexState>[1];
}

/** All issues of all environments of a project. */
export function IssuesBoard({ rows, nowMs, url, setUrl }: IssuesViewProps & Addressed): ReactNode {
  const list = listIssues(rows, { ...url, nowMs });
  const isFiltered = url.q.trim() !== "" || url.health.length > 0 || url.onlyNew;
  return (
    <>
      <output className={styles["issuesSummary"]}>
        <WithTimes text={issuesSummary(list, rows, nowMs)} times={timesOf(rows)} now={nowMs} />
      </output>
      <Filters list={list} url={url} setUrl={setUrl} />
      {list.shown === 0 ? (
        <StatePanel
          icon="search"
          message={isFiltered ? tLater("environments/no-issue-matches", { count: list.listed.length }) : issuesSummary(list, rows, nowMs)}
          actions={
            isFiltered && (
              <button type="button" className="btn sm primary" onClick={() => setUrl({ q: "", health: [], onlyNew: false })}>
                {tLater("ui/clear-filters")}
              </button>
            )
          }
        />
      ) : (
        <IssuesList lines={list.lines} />
      )}
      <p className={styles["foot"]}>
        <span className="grow" />
        <span>{tLater("environments/of-issues", { shown: list.shown, total: list.total })}</span>
      </p>
    </>
  );
}

function Filters({ list, url, setUrl }: Addressed & { readonly list: IssueList }): ReactNode {
  const counts = Map.groupBy(list.listed, statusKeyOf);
  return (
    <search className={styles["filters"]} aria-label={tLater("ui/issues")}>
      <SearchField label={tLater("why/find-issues")} value={url.q} onChange={(q) => setUrl({ q }, "replace")} />
      <button type="button" className="chip" aria-pressed={url.onlyNew} onClick={() => setUrl({ onlyNew: !url.onlyNew })}>
        {tLaterElements("environments/new-in-last", { fresh: <b className="num">{list.fresh}</b> })}
      </button>
      {ISSUE_STATUSES.map((key) => {
        const [first] = counts.get(key) ?? [];
        const pressed = url.health.includes(key);
        if (first === undefined && !pressed) return null;
        const health = pressed ? url.health.filter((each) => each !== key) : [...url.health, key];
        return (
          <button key={key} type="button" className="chip" aria-pressed={pressed} onClick={() => setUrl({ health })}>
            {key === NOTICE ? <Icon name="info" size={14} /> : first && <StateGlyph look={lookOfIssue(first)} />}
            {statusWordOf(key)} <b className="num">{counts.get(key)?.length ?? 0}</b>
          </button>
        );
      })}
      <SortChoice order={url.order} onOrder={(order) => setUrl({ order })} />
    </search>
  );
}

/**
 * What is under the heading: "12 issues in 3 environments; issues of 2 environments not known yet". "No issues" only when every row that
 * the viewer may see is known and of now.
 */
export function issuesSummary(list: IssueList, rows: readonly KnownRow[], nowMs: number): string {
  const seen = rows.filter(({ knowledge }) => knowledge.kind !== "outside");
  if (seen.length === 0) return rows.length === 0 ? "" : t("environments/issues/outside", { environments: environments(rows.length) });
  const gaps = gapsOf(seen, nowMs);
  if (list.total > 0) {
    const issues = words("ui/issue-count", { count: list.total });
    return sentence([t("environments/issues/in", { issues, environments: environments(list.environments) }), ...gaps]);
  }
  if (gaps.length === 0) return t("environments/issues/none", { environments: environments(seen.length) });
  const isAnyKnown = seen.some(({ knowledge }) => knowledge.kind !== "unknown");
  return sentence(isAnyKnown ? [...gaps, t("environments/issues/none-known")] : gaps);
}

/** Of how many environments nothing, or nothing of now, is known. */
function gapsOf(seen: readonly KnownRow[], nowMs: number): readonly string[] {
  const unknown = seen.filter(({ knowledge }) => knowledge.kind === "unknown").length;
  const old = seen.flatMap(({ knowledge }) => (knowledge.kind === "old" ? [knowledge.asOfMs] : []));
  const partial = seen.filter(({ row }) => row.health?.partial === true || row.workloadsOnly).length;
  return [
    ...(unknown > 0 ? [t("environments/issues/unknown", { environments: environments(unknown) })] : []),
    ...(old.length > 0
      ? [t("environments/issues/as-of", { environments: environments(old.length), at: formatClock(Math.min(...old), nowMs) })]
      : []),
    ...(partial > 0 ? [t("environments/issues/partial", { environments: environments(partial) })] : []),
  ];
}

function sentence(parts: readonly string[]): string {
  return t("environments/issues/sentence", { what: parts.join("; ") });
}

/** "1 environment", "2 environments". */
function environments(count: number): Words {
  return words("environments/counted/environments", { count });
}

/** The issues: of thousands only those on the screen, and some around them, are there. */
function IssuesList({ lines }: Pick<IssueList, "lines">): ReactNode {
  const panel = useRef<HTMLUListElement>(null);
  const isPrinting = usePrinting();
  // On paper is all, and nothing is measured.
  const isHydrated = useHydrated() && !isPrinting;
  const firstLines = isPrinting ? lines.length : Math.min(lines.length, FIRST_LINES);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin: panel.current?.offsetTop ?? 0,
  });
  const { scrollMargin } = virtual.options;
  const items = isHydrated ? virtual.getVirtualItems() : [];
  const shown = isHydrated ? items.map(({ index }) => index) : Array.from({ length: firstLines }, (_, at) => at);
  const above = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const below = isHydrated ? virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin) : 0;
  return (
    <ul
      ref={panel}
      className={`panel ${issuesStyles["list"]}`}
      aria-label={tLater("ui/issues")}
      style={{ paddingTop: above, paddingBottom: Math.max(0, below) }}
    >
      {shown.map((index) => {
        const line = lines[index];
        return (
          line && (
            <li key={line.key} ref={virtual.measureElement} data-index={index} aria-setsize={lines.length} aria-posinset={index + 1}>
              {line.kind === "issue" ? <IssueLine line={line} /> : <UntoldLine line={line} />}
            </li>
          )
        );
      })}
    </ul>
  );
}
