"use client";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { sayWith } from "../../ui/say-with.ts";
import { say } from "../../ui/said.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { SearchField } from "../filter/search-field.tsx";
import { lookOf, WORST_FIRST, wordOf } from "../live/health-status.ts";
import styles from "./environments.module.css";
import type { EnvironmentsState } from "./environments-state.ts";
import { SYNC_FILTERS, syncOfRow, type SyncFilter } from "./row-sync.tsx";
import type { IndexFilter } from "./index-filter.ts";
import { NOT_KNOWN_YET, NOT_VISIBLE, statusOfRow, type RowStatus } from "./row-order.ts";

/** What of the table is shown: by name, and by health with the number of each. */
export function IndexFilters(props: {
  readonly state: EnvironmentsState;
  readonly text: string;
  readonly status: RowStatus | undefined;
  readonly sync: SyncFilter | undefined;
  readonly onFilter: (change: Partial<IndexFilter>) => void;
  readonly children: ReactNode;
}): ReactNode {
  const { state, text, status, sync, onFilter, children } = props;
  const rows = [...state.rows.values()];
  return (
    <search className={styles["filters"]} aria-label={say("environments/environments")}>
      <SearchField label={say("environments/filter-by-name")} value={text} onChange={(typed) => onFilter({ text: typed })} />
      <button
        type="button"
        className="chip"
        aria-pressed={status === undefined && sync === undefined}
        onClick={() => onFilter({ status: undefined, sync: undefined })}
      >
        {sayWith("environments/all", { length: <b className="num">{rows.length}</b> })}
      </button>
      {[...WORST_FIRST, HealthStatus.UNSPECIFIED, NOT_KNOWN_YET, NOT_VISIBLE].map((each) => {
        const count = rows.filter((row) => statusOfRow(row) === each).length;
        if (count === 0 && status !== each) return null;
        return (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={status === each}
            onClick={() => onFilter({ status: status === each ? undefined : each })}
          >
            {each !== NOT_KNOWN_YET && <StateGlyph look={each === NOT_VISIBLE ? "locked" : lookOf(each)} />}
            {wordOfRow(each)} <b className="num">{count}</b>
          </button>
        );
      })}
      {(Object.keys(SYNC_FILTERS) as readonly SyncFilter[]).map((each) => {
        const count = rows.filter((row) => syncOfRow(row) === each).length;
        if ((count === 0 || each === "healthy") && sync !== each) return null;
        return (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={sync === each}
            data-sync-filter={each}
            onClick={() => onFilter({ sync: sync === each ? undefined : each })}
          >
            <StateGlyph look={each} />
            {say(SYNC_FILTERS[each])} <b className="num">{count}</b>
          </button>
        );
      })}
      {children}
    </search>
  );
}

/** What rows of a status are called. */
export function wordOfRow(status: number): string {
  if (status === NOT_VISIBLE) return say("environments/not-visible-you");
  return status === NOT_KNOWN_YET ? say("environments/not-known-yet") : wordOf(status);
}
