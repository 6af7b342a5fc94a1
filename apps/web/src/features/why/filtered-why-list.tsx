"use client";
import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { MultiChoice } from "../../ui/multi-choice.tsx";
import { NEWEST, type UrlState } from "../address/url-state.ts";
import { useUrlState, type SetUrlState } from "../address/use-url-state.ts";
import { SearchField } from "../filter/search-field.tsx";
import { byNewest, isWanted, ISSUE_STATUSES, statusKeyOf, statusWordOf } from "./issue-filter.ts";
import { IssuesExport } from "./issues-export.tsx";
import { SortChoice } from "./sort-choice.tsx";
import { Uncounted } from "./uncounted.tsx";
import { WhyList } from "./why-list.tsx";
import { sayLater } from "../../ui/said.ts";
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
    <search className={styles["filter"]} aria-label={sayLater("why/issues")}>
      <SearchField label={sayLater("why/find-issues")} value={url.q} onChange={(q) => setUrl({ q }, "replace")} />
      <MultiChoice
        label={sayLater("why/status")}
        options={statuses}
        chosen={url.health}
        wordOf={statusWordOf}
        onChange={(chosen) => setUrl({ health: chosen })}
      />
      <MultiChoice label={sayLater("why/kind")} options={kinds} chosen={url.kinds} onChange={(chosen) => setUrl({ kinds: chosen })} />
      <SortChoice order={url.order} onOrder={(order) => setUrl({ order })} />
      {isFiltered && (
        <output className={`${styles["found"]} num`}>
          {sayLater("why/of-shown", { count: issues.length, count2: health.issues.length })}{" "}
          <button type="button" className="linkish" onClick={() => setUrl({ q: "", health: [], kinds: [] })}>
            {sayLater("why/clear-filters")}
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
