/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  type CSSProperties,
  type ReactNode,
  useState,
  type KeyboardEvent,
  type RefCallback,
} from "react";
import { Icon } from "../../ui/icon.tsx";
import { runLocalKey } from "../../ui/keys/local-keys.ts";
import { useWidths } from "../../ui/use-widths.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { gridOf } from "./column-choice.ts";
import type { Column } from "./columns.tsx";
import { chooseTo, moveTo, tabStopOf, toggle, type ListChoice } from "./list-choice.ts";
import { keyOfRow, type ListRow } from "./list-rows.ts";
import styles from "./list.module.css";
import { nameRooms } from "./name-rooms.ts";
import { ResourceRow, type ChoosePress } from "./resource-row.tsx";
import { useRowFocus, useRowKeys } from "./use-row-keys.ts";
import { tLater } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { lookOf } from "../live/health-status.ts";
import { nextSort, sortOrderOf } from "./sort-order.ts";

/** Row that is to be seen, and whether the focus goes there. */
export interface ListGoal {
  readonly id: string;
  readonly focus: boolean;
}

interface ListGridProps {
  readonly rows: readonly ListRow[];
  /** The resources among them. */
  readonly ids: readonly string[];
  readonly columns: readonly Column[];
  readonly rowPx: number;
  /** How wide the list is, where a row is a card; absent: where rows have columns. */
  readonly cardPx: number | undefined;
  readonly choice: ListChoice;
  readonly onChoice: (change: (before: ListChoice) => ListChoice) => void;
  /** The pointer or the focus entered or left the rows. */
  readonly onInside: (how: "pointer" | "focus", inside: boolean) => void;
  /** A new object for each search. */
  readonly goal: ListGoal | undefined;
}

/** The rows: only those in sight are in the page, and always the one that has the focus, which no scrolling and no update takes away. */
export function ListGrid({ rows, ids, columns, rowPx, cardPx, choice, onChoice, onInside, goal }: ListGridProps): ReactNode {
  const [url] = useUrlState();
  const scroller = useRef<HTMLDivElement>(null);
  const indexOf = useMemo(() => new Map(rows.map((row, index) => [keyOfRow(row), index])), [rows]);
  const tabStop = tabStopOf(choice, ids);
  const stopIndex = tabStop === undefined ? undefined : indexOf.get(tabStop);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollPaddingStart: HEADS_PX,
    rangeExtractor: useCallback((range: Range) => withIndex(defaultRangeExtractor(range), stopIndex), [stopIndex]),
  });
  useEffect(() => virtual.measure(), [virtual, rowPx]);
  const [heads, widths] = useWidths();
  const rooms = useMemo(
    () => (cardPx === undefined ? nameRooms(columns, widths) : { name: cardPx - CARD_REST_PX }),
    [columns, widths, cardPx],
  );
  const rowFocus = useRowFocus(scroller, tabStop);
  const see = useCallback(
    (id: string, focus: boolean) => {
      const index = indexOf.get(id);
      if (index === undefined) return;
      if (focus) rowFocus.want(id);
      virtual.scrollToIndex(index);
      rowFocus.take();
    },
    [indexOf, virtual, rowFocus],
  );
  useEffect(() => {
    if (goal !== undefined) see(goal.id, goal.focus);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each goal, not with every change of the rows
  }, [goal]);
  // The same function for all rows and all updates: a row renders when it alone changes.
  const latest = useRef(ids);
  useLayoutEffect(() => {
    latest.current = ids;
  });
  const onChoose = useCallback(
    ({ id, range }: ChoosePress) =>
      onChoice((before) => (range ? chooseTo(before, latest.current, id) : toggle(moveTo(before, latest.current, id), id))),
    [onChoice],
  );
  const onKeyDown = useRowKeys({
    ids,
    tabStop,
    choice,
    onChoice,
    focusRow: (id) => see(id, true),
    pageRows: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2),
  });
  const grid = gridOf(columns);
  const style: CSSProperties & Record<"--columns" | "--row", string> = {
    "--columns": grid.template,
    "--row": `${rowPx}px`,
    ...(cardPx === undefined && { minWidth: grid.leastPx }),
  };
  return (
    <div ref={scroller} className={`${styles["scroller"]} ${url.q === "" || choice.current === "" ? "" : styles["searching"]}`}>
      <div
        className={`${styles["table"]} ${cardPx === undefined ? "" : styles["cards"]}`}
        data-cards={cardPx !== undefined}
        style={style}
        role="grid"
        aria-label={tLater("ui/resources")}
        aria-multiselectable="true"
        aria-rowcount={rows.length + 1}
      >
        <HeadRow key={columns.map(({ key }) => key).join()} columns={columns} widthsOf={heads} />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys belong to the rows inside */}
        <div
          role="rowgroup"
          tabIndex={-1}
          style={{ height: virtual.getTotalSize(), position: "relative" }}
          onKeyDown={onKeyDown}
          onPointerEnter={() => onInside("pointer", true)}
          onPointerLeave={() => onInside("pointer", false)}
          onFocus={(event) => {
            rowFocus.onFocus();
            onInside("focus", true);
            const id = event.target.closest<HTMLElement>("[data-node-id]")?.dataset["nodeId"];
            if (id !== undefined && id !== choice.current) onChoice((before) => moveTo(before, ids, id));
          }}
          onBlur={(event) => {
            if (rowFocus.isLeft(event)) onInside("focus", false);
          }}
        >
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            const place = { transform: `translateY(${item.start}px)` };
            if (row.type === "group") return <GroupRow key={keyOfRow(row)} row={row} index={item.index + 2} place={place} />;
            return (
              <ResourceRow
                key={row.id}
                id={row.id}
                index={item.index + 2}
                style={place}
                selected={url.sel}
                chosen={choice.chosen.has(row.id)}
                isTabStop={row.id === tabStop}
                columns={columns}
                rooms={rooms}
                onChoose={onChoose}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** What of a card is no room for its name: padding, and the word beside it (list.module.css). */
const CARD_REST_PX = 112;

/** What stands above the first row whatever is scrolled. */
const HEADS_PX = 36;

function withIndex(indexes: readonly number[], index: number | undefined): number[] {
  if (index === undefined || indexes.includes(index)) return [...indexes];
  return [...indexes, index].toSorted((one, two) => one - two);
}

/** The head of a group: its kind, how many, and the worst of them. */
function GroupRow(props: {
  readonly row: Extract<ListRow, { readonly type: "group" }>;
  readonly index: number;
  readonly place: CSSProperties;
}): ReactNode {
  const { row, index, place } = props;
  return (
    <div className={`${styles["row"]} ${styles["group"]}`} role="row" aria-rowindex={index} style={place}>
      <span role="rowheader">
        <StateGlyph look={lookOf(row.worst)} size={14} /> <span translate="no">{row.kind}</span>{" "}
        <span className="count num">{row.count}</span>
      </span>
    </div>
  );
}

/** Heads of the columns: a press sorts. One tab stop, left and right go through them. */
function HeadRow(props: { readonly columns: readonly Column[]; readonly widthsOf: RefCallback<HTMLElement> }): ReactNode {
  const { columns, widthsOf } = props;
  const [url, setUrl] = useUrlState();
  const [at, setAt] = useState(0);
  const sort = sortOrderOf(url.sort);
  const stop = Math.min(at, columns.length - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const go = (index: number): void => {
      const next = Math.max(0, Math.min(columns.length - 1, index));
      setAt(next);
      event.currentTarget.querySelectorAll("button").item(next).focus();
    };
    runLocalKey("heads", event, {
      left: () => go(stop - 1),
      right: () => go(stop + 1),
      first: () => go(0),
      last: () => go(columns.length - 1),
    });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons have the focus
    <div ref={widthsOf} className={`${styles["row"]} ${styles["heads"]}`} role="row" tabIndex={-1} aria-rowindex={1} onKeyDown={onKeyDown}>
      <span role="presentation" />
      {columns.map(({ key, title }, index) => (
        <span
          key={key}
          role="columnheader"
          {...(sort.key === key ? { "aria-sort": sort.falling ? ("descending" as const) : ("ascending" as const) } : {})}
        >
          <button
            type="button"
            tabIndex={index === stop ? 0 : -1}
            onFocus={() => setAt(index)}
            onClick={() => setUrl({ sort: nextSort(sort, key) }, "replace")}
          >
            {tLater(title)}
            {sort.key === key && <Icon name={sort.falling ? "down" : "up"} size={12} />}
          </button>
        </span>
      ))}
    </div>
  );
}
