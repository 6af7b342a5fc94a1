/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from "react";
import { runLocalKey } from "../../ui/keys/local-keys.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useWidths } from "../../ui/use-widths.ts";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { isProblem, lookOf, statusOf } from "../live/health-status.ts";
import { gridOf, type Column } from "./columns.ts";
import { HeadRow } from "./head-row.tsx";
import { chooseAll, chooseNone, chooseTo, moveTo, tabStopOf, toggle, type ListChoice } from "./list-choice.ts";
import { keyOfRow, type ListRow } from "./list-rows.ts";
import styles from "./list.module.css";
import { nameRooms } from "./name-rooms.ts";
import { ResourceRow, type ChoosePress } from "./resource-row.tsx";
import { sayLater } from "../../ui/said.ts";

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
  /** Somebody came to the rows, or left them. */
  readonly onInside: (how: "pointer" | "focus", inside: boolean) => void;
  /** Renewed for every time that somebody looks for something. */
  readonly goal: ListGoal | undefined;
}

/** The rows: only those in sight are in the page, and always the one that has the focus, which no scrolling and no update takes away. */
export function ListGrid({ rows, ids, columns, rowPx, cardPx, choice, onChoice, onInside, goal }: ListGridProps): ReactNode {
  const store = useEnvironmentStore();
  const [url, setUrl] = useUrlState();
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef("");
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
  const see = useCallback(
    (id: string, focus: boolean) => {
      const index = indexOf.get(id);
      if (index === undefined) return;
      if (focus) wanted.current = id;
      virtual.scrollToIndex(index);
    },
    [indexOf, virtual],
  );
  const go = (id: string | undefined): void => {
    if (id === undefined) return;
    onChoice((before) => moveTo(before, ids, id));
    see(id, true);
  };
  useEffect(() => {
    if (goal !== undefined) see(goal.id, goal.focus);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each goal, not with every change of the rows
  }, [goal]);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const root = scroller.current;
    // A resource that is gone takes the focus with it: the row in its place gets it.
    const isLost = hadFocus.current && document.activeElement === document.body;
    const id = isLost ? tabStop : wanted.current;
    if (root === null || id === undefined || id === "") return;
    const row = root.querySelector<HTMLElement>(`[role="row"][data-node-id="${CSS.escape(id)}"]`);
    if (row === null) return;
    wanted.current = "";
    row.focus({ preventScroll: true });
  });
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
  const onKeyDown = (event: KeyboardEvent): void => {
    if (tabStop === undefined) return;
    const at = ids.indexOf(tabStop);
    const by = (step: number): string | undefined => ids[Math.max(0, Math.min(ids.length - 1, at + step))];
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2);
    const choose = (id: string | undefined): void => {
      if (id === undefined) return;
      onChoice((before) => chooseTo(before, ids, id));
      see(id, true);
    };
    const problem = (step: number): void => {
      const found = ids.filter((id) => isProblemAt(id));
      const index = found.indexOf(tabStop);
      go(found.at(index < 0 ? 0 : (index + step) % found.length));
    };
    const isProblemAt = (id: string): boolean => {
      const node = store.node(id);
      return node !== undefined && isProblem(statusOf(node));
    };
    runLocalKey("list", event, {
      down: () => go(by(1)),
      up: () => go(by(-1)),
      first: () => go(ids[0]),
      last: () => go(ids.at(-1)),
      pageDown: () => go(by(page)),
      pageUp: () => go(by(-page)),
      open: () => {
        const ref = store.node(tabStop)?.ref;
        if (ref !== undefined) setUrl({ sel: selectionOf(ref) });
      },
      choose: () => onChoice((before) => toggle(before, tabStop)),
      chooseDown: () => choose(by(1)),
      chooseUp: () => choose(by(-1)),
      chooseAll: () => onChoice((before) => chooseAll(before, ids)),
      nextProblem: () => problem(1),
      previousProblem: () => problem(-1),
      clear: () => (choice.chosen.size === 0 ? false : onChoice(chooseNone)),
    });
  };
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
        aria-label={sayLater("resource-list/resources")}
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
            hadFocus.current = true;
            onInside("focus", true);
            const id = event.target.closest<HTMLElement>("[data-node-id]")?.dataset["nodeId"];
            if (id !== undefined && id !== choice.current) onChoice((before) => moveTo(before, ids, id));
          }}
          onBlur={(event) => {
            // Blurred by being taken out of the page it is nobody's doing.
            if (event.relatedTarget === null && document.activeElement === document.body && !event.target.isConnected) return;
            hadFocus.current = false;
            onInside("focus", false);
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

function withIndex(indexes: readonly number[], index: number | undefined): number[] {
  if (index === undefined || indexes.includes(index)) return [...indexes];
  return [...indexes, index].toSorted((one, two) => one - two);
}
