/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useMemo, useRef, type ReactNode } from "react";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useWidths } from "../../ui/use-widths.ts";
import { useEnvironmentStore, useGraphVersion } from "../live/environment-context.tsx";
import { lookOf } from "../live/health-status.ts";
import { FilterBar } from "../filter/filter-bar.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { listRows } from "./list-rows.ts";
import { nameRooms } from "./name-rooms.ts";
import { ResourceRow } from "./resource-row.tsx";
import styles from "./list.module.css";
import { SampledNote } from "./sampled-note.tsx";

const ROW_PX = 40;
/** Where the columns have no room, a resource is a card of two lines. */
const CARD_PX = 60;
/** Below this width of the list there are cards. */
const CARDS_BELOW_PX = 720;
/** What of a card is no room for its name: padding, and the word beside it (list.module.css). */
const CARD_REST_PX = 112;
const COLUMNS = ["Kind", "Name", "Namespace", "Health", "Ready", "Restarts", "Age", "Owner", "Images"];
const MANAGED = [
  { managed: "", text: "All" },
  { managed: "direct", text: "Applied directly" },
  { managed: "generated", text: "Generated" },
  { managed: "foreign", text: "Foreign" },
] as const;

/** All resources as a table: the equal twin of the graph, with the same filter. */
export function ResourceList(): ReactNode {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  const [url, setUrl] = useUrlState();
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  const rows = useMemo(() => listRows(store.nodes.values(), url, url.group === "kind"), [store, version, url]);
  // Where no tool manages anything, nothing is said of it.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  const managed = useMemo(() => [...store.nodes.values()].some((node) => node.managedBy !== undefined), [store, version]);
  const [box, [width = CARDS_BELOW_PX]] = useWidths();
  const cards = width < CARDS_BELOW_PX;
  const columns = managed ? [...COLUMNS, "Managed by"] : COLUMNS;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (cards ? CARD_PX : ROW_PX),
    overscan: 12,
  });
  const [heads, widths] = useWidths();
  const rooms = useMemo(() => (cards ? { ...nameRooms([]), name: width - CARD_REST_PX } : nameRooms(widths)), [cards, width, widths]);
  useLayoutEffect(() => virtual.measure(), [virtual, cards]);
  const total = store.nodes.size;
  const shown = rows.filter((row) => row.type === "node").length;
  return (
    <div ref={box} className={styles["list"]}>
      <FilterBar>
        <button
          type="button"
          className="btn sm"
          aria-pressed={url.group === "kind"}
          onClick={() => setUrl({ group: url.group === "kind" ? "" : "kind" })}
        >
          Group by kind
        </button>
        {managed && (
          <span className="seg" role="group" aria-label="Managed">
            {MANAGED.map((each) => (
              <button
                key={each.managed}
                type="button"
                aria-pressed={url.managed === each.managed}
                onClick={() => setUrl({ managed: each.managed })}
              >
                {each.text}
              </button>
            ))}
          </span>
        )}
        <span className="grow" />
        <SampledNote />
        <output className="muted num">{shown === total ? `${total} resources` : `${shown} of ${total} resources`}</output>
      </FilterBar>
      {shown === 0 && total > 0 ? (
        <StatePanel
          icon="search"
          say={`No resource matches. ${total} hidden by filters.`}
          actions={
            <button
              type="button"
              className="btn sm primary"
              onClick={() => setUrl({ q: "", namespaces: [], kinds: [], health: [], onlyProblems: false, managed: "" })}
            >
              Clear filters
            </button>
          }
        />
      ) : (
        <div ref={scroller} className={styles["scroller"]}>
          <div
            className={`${styles["table"]} ${managed ? styles["managed"] : ""} ${cards ? styles["cards"] : ""}`}
            role="table"
            aria-label="Resources"
            aria-rowcount={rows.length + 1}
            data-cards={cards}
          >
            <div ref={heads} className={`${styles["row"]} ${styles["heads"]}`} role="row" aria-rowindex={1}>
              {columns.map((title) => (
                <span key={title} role="columnheader">
                  {title}
                </span>
              ))}
            </div>
            <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: "relative" }}>
              {virtual.getVirtualItems().map((item) => {
                const row = rows[item.index];
                if (row === undefined) return null;
                const place = { transform: `translateY(${item.start}px)` };
                if (row.type === "node") {
                  return (
                    <ResourceRow
                      key={row.id}
                      id={row.id}
                      index={item.index + 2}
                      style={place}
                      selected={url.sel}
                      managed={managed}
                      rooms={rooms}
                      onSelect={(sel) => setUrl({ sel })}
                    />
                  );
                }
                return (
                  <div
                    key={`group ${row.kind}`}
                    className={`${styles["row"]} ${styles["group"]}`}
                    role="row"
                    aria-rowindex={item.index + 2}
                    style={place}
                  >
                    <span role="rowheader">
                      <StateGlyph look={lookOf(row.worst)} size={14} /> {row.kind} <span className="count num">{row.count}</span>
                    </span>
                  </div>
                );
              })}
            </div>
          </div>
        </div>
      )}
    </div>
  );
}
