"use client";
import type { EnvironmentHealth, IssueGroup } from "@binnacle/proto/dashboard";
import { type ReactNode, useMemo } from "react";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { MultiChoice } from "../../ui/multi-choice.tsx";
import { NEWEST, type UrlState, UNCOUNTED } from "../address/url-state.ts";
import { useUrlState, type SetUrlState } from "../address/use-url-state.ts";
import { SearchField } from "../filter/search-field.tsx";
import { byNewest, isWanted, ISSUE_STATUSES, statusKeyOf, statusWordOf } from "@binnacle/presentation/health/issue-filter";
import { SortChoice } from "./sort-choice.tsx";
import { WhyList } from "./why-list.tsx";
import { tLater, messageText } from "../../ui/messages.ts";
import { Unfoldable } from "../address/unfoldable.tsx";
import { ExportMenu } from "../export/export-menu.tsx";
import type { TableColumn } from "@binnacle/presentation/export/table-files";
import { tableFormats } from "../export/tables/table-formats.ts";
import { linkingNodes } from "../resource/with-node-names.tsx";
import { IssueFoot } from "./issue-foot.tsx";
import { IssueGlyph } from "./issue-glyph.tsx";
import { unsentIssues, issueSinceMs, reasonOfIssue, titleOfIssue } from "@binnacle/presentation/health/issue-words";
import { NextStep } from "./why-chain.tsx";
import { nameOfRef } from "@binnacle/presentation/health/why-words";
import styles from "./why.module.css";

/** What the list is made of; as `WhyList`. */
interface FilteredWhyListProps {
  readonly health: EnvironmentHealth;
  readonly environment: string;
  readonly complete: boolean;
}

/** Why an environment is not well, with a filter and an order that live in the address, and below it what does not count. */
export function FilteredWhyList(props: FilteredWhyListProps): ReactNode {
  const [url, setUrl] = useUrlState();
  return <WhyBoard {...props} url={url} setUrl={setUrl} />;
}

/** The same with an address that is given. */
export function WhyBoard(props: FilteredWhyListProps & { readonly url: UrlState; readonly setUrl: SetUrlState }): ReactNode {
  const { url, setUrl, ...list } = props;
  const { health } = list;
  const wanted = health.issues.filter((issue) => isWanted(issue, url));
  const issues = url.order === NEWEST ? wanted.toSorted(byNewest) : wanted;
  const isFiltered = url.q.trim() !== "" || url.health.length > 0 || url.kinds.length > 0;
  const there = new Set(health.issues.map(statusKeyOf));
  const statuses = ISSUE_STATUSES.filter((key) => there.has(key) || url.health.includes(key));
  const kinds = [...new Set([...health.issues.flatMap((issue) => issue.kinds), ...url.kinds])].sort();
  const bar = (health.issues.length > 1 || isFiltered) && (
    <search className={styles["filter"]} aria-label={tLater("ui/issues")}>
      <SearchField label={tLater("why/find-issues")} value={url.q} onChange={(q) => setUrl({ q }, "replace")} />
      <MultiChoice
        label={tLater("why/status")}
        options={statuses}
        chosen={url.health}
        wordOf={statusWordOf}
        onChange={(chosen) => setUrl({ health: chosen })}
      />
      <MultiChoice label={tLater("ui/kind")} options={kinds} chosen={url.kinds} onChange={(chosen) => setUrl({ kinds: chosen })} />
      <SortChoice order={url.order} onOrder={(order) => setUrl({ order })} />
      {isFiltered && (
        <output className={`${styles["found"]} num`}>
          {tLater("why/of-shown", { count: issues.length, count2: health.issues.length })}{" "}
          <button type="button" className="linkish" onClick={() => setUrl({ q: "", health: [], kinds: [] })}>
            {tLater("ui/clear-filters")}
          </button>
        </output>
      )}
    </search>
  );
  return (
    <>
      <WhyList {...list} issues={issues} order={url.order} bar={bar} tools={<IssuesExport health={health} issues={issues} />} />
      <Uncounted groups={health.uncounted} total={health.uncountedTotal} />
    </>
  );
}

/** The menu that makes files of the issues: those that the filter shows, in their order, also behind "show more". */
function IssuesExport(props: { readonly health: EnvironmentHealth; readonly issues: readonly IssueGroup[] }): ReactNode {
  const { health, issues } = props;
  const formats = useMemo(() => tableFormats(() => ({ columns: issueColumns(), rows: issues })), [issues]);
  const gaps = (): readonly string[] => {
    const { count } = unsentIssues(health);
    const hidden = health.issues.length - issues.length;
    return [
      ...(hidden === 0 ? [] : [tLater("export/gap/issues-hidden", { count: hidden })]),
      ...(count === 0 ? [] : [tLater("export/gap/issues-unsent", { count })]),
    ];
  };
  return <ExportMenu subject="issues" formats={formats} gaps={gaps} />;
}

/** Columns of the issues as they leave the page: one row for each root cause, with the numbers of all its resources. */
export function issueColumns(): readonly TableColumn<IssueGroup>[] {
  return [
    { key: "issue", title: tLater("why/issue"), textOf: titleOfIssue },
    { key: "status", title: tLater("why/status"), textOf: (issue) => statusWordOf(statusKeyOf(issue)) },
    { key: "reason", title: tLater("ui/reason"), textOf: reasonOfIssue },
    { key: "since", title: tLater("ui/since-label"), textOf: sinceOf },
    { key: "resources", title: tLater("ui/resources"), textOf: ({ membersTotal }) => membersTotal },
    { key: "message", title: tLater("why/message"), textOf: ({ words }) => messageText(words) },
    { key: "next", title: tLater("why/column-next"), textOf: ({ next }) => messageText(next) },
    {
      key: "members",
      title: tLater("why/named-resources"),
      textOf: ({ members }) => members.map(({ ref }) => nameOfRef(ref)).join("; "),
    },
  ];
}

function sinceOf(issue: IssueGroup): string {
  const sinceMs = issueSinceMs(issue);
  return sinceMs === undefined ? "" : new Date(sinceMs).toISOString();
}

/** What is suspended or paused, and notices that need no action now: folded, and in no count. Nothing when there is none. */
function Uncounted({ groups, total }: { readonly groups: readonly IssueGroup[]; readonly total: number }): ReactNode {
  if (total === 0) return null;
  return (
    <Unfoldable
      name={UNCOUNTED}
      className={`panel ${styles["uncounted"]}`}
      summary={
        <>
          <Icon name="down" size={12} />
          <h3>{tLater("why/not-counted")}</h3>
          <span className="muted num">{tLater("why/not-counted-total", { total })}</span>
        </>
      }
    >
      <ul className={styles["list"]}>
        {groups.map((group) => (
          <li key={group.key} data-uncounted="">
            <IssueGlyph issue={group} />
            <div className={styles["text"]}>
              <h4>{linkingNodes([group.node])(titleOfIssue(group))}</h4>
              <LongText text={messageText(group.words)} draw={linkingNodes([group.node])} />
              <NextStep text={messageText(group.next)} draw={linkingNodes([group.node])} />
              <IssueFoot issue={group} />
            </div>
          </li>
        ))}
      </ul>
      {total > groups.length && <p className={styles["rest"]}>{tLater("ui/and-more", { count: total - groups.length })}</p>}
    </Unfoldable>
  );
}
