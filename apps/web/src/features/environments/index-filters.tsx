"use client";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { tElements } from "../../ui/message-elements.ts";
import { t } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { SearchField } from "../filter/search-field.tsx";
import { lookOf, WORST_FIRST, wordOf } from "../live/health-status.ts";
import styles from "./environments.module.css";
import type { EnvironmentsState } from "./environments-state.ts";
import { SYNC_FILTERS, syncOfRow, type SyncFilter } from "./row-sync.tsx";
import type { IndexFilter } from "./index-filter.ts";
import { NOT_KNOWN_YET, NOT_VISIBLE, statusOfRow, type RowStatus } from "@binnacle/presentation/environments/row-order";

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
    <search className={styles["filters"]} aria-label={t("ui/environments")}>
      <SearchField label={t("environments/filter-by-name")} value={text} onChange={(typed) => onFilter({ text: typed })} />
      <button
        type="button"
        className="chip"
        aria-pressed={status === undefined && sync === undefined}
        onClick={() => onFilter({ status: undefined, sync: undefined })}
      >
        {tElements("environments/all", { length: <b className="num">{rows.length}</b> })}
      </button>
      {[...WORST_FIRST, HealthStatus.UNSPECIFIED, NOT_KNOWN_YET, NOT_VISIBLE].map((each) => {
        const count = rows.filter((row) => statusOfRow(row) === each).length;
        if (count === 0 && status !== each) return null;
        return (
          <CountChip
            key={each}
            count={count}
            isPressed={status === each}
            onPress={(pressed) => onFilter({ status: pressed ? each : undefined })}
          >
            {each !== NOT_KNOWN_YET && <StateGlyph look={each === NOT_VISIBLE ? "locked" : lookOf(each)} />}
            {wordOfRow(each)}
          </CountChip>
        );
      })}
      {(Object.keys(SYNC_FILTERS) as readonly SyncFilter[]).map((each) => {
        const count = rows.filter((row) => syncOfRow(row) === each).length;
        if ((count === 0 || each === "healthy") && sync !== each) return null;
        return (
          <CountChip
            key={each}
            count={count}
            isPressed={sync === each}
            onPress={(pressed) => onFilter({ sync: pressed ? each : undefined })}
            data-sync-filter={each}
          >
            <StateGlyph look={each} />
            {t(SYNC_FILTERS[each])}
          </CountChip>
        );
      })}
      {children}
    </search>
  );
}

/** A filter with the number of rows that it leaves. */
function CountChip(props: {
  readonly count: number;
  readonly isPressed: boolean;
  readonly onPress: (isPressed: boolean) => void;
  readonly "data-sync-filter"?: SyncFilter;
  readonly children: ReactNode;
}): ReactNode {
  const { count, isPressed, onPress, children, "data-sync-filter": sync } = props;
  return (
    <button type="button" className="chip" aria-pressed={isPressed} data-sync-filter={sync} onClick={() => onPress(!isPressed)}>
      {children} <b className="num">{count}</b>
    </button>
  );
}

/** What rows of a status are called. */
export function wordOfRow(status: number): string {
  if (status === NOT_VISIBLE) return t("ui/not-visible");
  return status === NOT_KNOWN_YET ? t("ui/not-known-yet") : wordOf(status);
}
