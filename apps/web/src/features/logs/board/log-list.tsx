/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { formatMillisecond } from "../../../ui/format-time.ts";
import { tLater } from "../../../ui/messages.ts";
import type { LogSnapshot } from "../store/log-store.ts";
import type { LineRow } from "../store/log-row.ts";
import { LogGapRow, LogLineRow, SOURCE_CHARACTERS, type RowLook, type RowPress } from "./log-row.tsx";
import styles from "./logs.module.css";

/** Heights before a row has been measured. */
const ROW_PX = 20;
const NARROW_ROW_PX = 45;
/** Of the line between two groups of matches with their context. */
const LEFT_OUT_PX = 20;
/** Within this distance from its end a list is at its end. */
const END_PX = 8;

/** Rows that are drawn beyond those in sight. */
const OVERSCAN = 6;

/** A row that is to be seen; another object for every time. */
export interface RowGoal {
  readonly id: number;
}

/** The lines: only those in sight are in the page. While it is not paused its end stays in sight. */
export function LogList(props: {
  readonly snapshot: LogSnapshot;
  readonly labels: ReadonlyMap<number, string>;
  readonly look: RowLook;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly current: number | undefined;
  readonly isChosen: (id: number) => boolean;
  readonly opened: ReadonlySet<number>;
  readonly goal: RowGoal | undefined;
  readonly onScrolledUp: () => void;
  readonly onScrolledToEnd: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPress: (press: RowPress) => void;
  readonly onToggle: (id: number) => void;
  readonly linkTo: (row: LineRow) => string;
}): ReactNode {
  const { snapshot, labels, look, scroller, current, isChosen, opened, goal, onPress, onToggle, linkTo } = props;
  const { rows, groupStarts, sources, isPaused, version } = snapshot;
  const id = useId();
  const byId = useMemo(() => new Map(sources.map((source) => [source.id, source])), [sources]);
  const isMeasured = look.wraps || look.isNarrow;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows are changed in place: with another version they have other keys
  const keyOf = useMemo(() => (index: number) => rows[index]?.id ?? -index, [rows, version]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: (index) => (look.isNarrow ? NARROW_ROW_PX : ROW_PX) + (groupStarts.has(keyOf(index)) ? LEFT_OUT_PX : 0),
    overscan: OVERSCAN,
    // While it follows its end is drawn at once, and not first what is now where the end was.
    rangeExtractor: useCallback((range: Range) => (isPaused ? defaultRangeExtractor(range) : endOf(range)), [isPaused]),
    useFlushSync: false,
  });
  useEffect(() => virtual.measure(), [virtual, look.wraps, look.isNarrow]);
  const firstId = rows[0]?.id;
  useEffect(() => {
    if (firstId !== undefined) forgetSizes(virtual.itemSizeCache, firstId);
  }, [virtual, firstId]);

  // The first row in sight stays where it is when rows above it fall off.
  const anchor = useRef<{ readonly id: number; readonly offsetPx: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    const last = anchor.current;
    if (element === null || last === undefined || !isPaused) return;
    const index = rows.findIndex((row) => row.id === last.id);
    const start = index < 0 ? undefined : virtual.getOffsetForIndex(index, "start")?.[0];
    if (start !== undefined) element.scrollTop = start + last.offsetPx;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when rows have fallen off
  }, [firstId]);
  const lastTop = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || isPaused) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  });
  useEffect(() => {
    const index = goal === undefined ? -1 : rows.findIndex((row) => row.id === goal.id);
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each goal, not with every change of the rows
  }, [goal]);
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const [isUp, isAtEnd] = [scrollTop < lastTop.current, scrollHeight - scrollTop - clientHeight <= END_PX];
    lastTop.current = scrollTop;
    const first = virtual.getVirtualItemForOffset(scrollTop);
    const row = first === undefined ? undefined : rows[first.index];
    anchor.current = first === undefined || row === undefined ? undefined : { id: row.id, offsetPx: scrollTop - first.start };
    if (!isPaused && isUp && !isAtEnd) props.onScrolledUp();
    else if (isPaused && !isUp && isAtEnd) props.onScrolledToEnd();
  };
  const longest = Math.min(SOURCE_CHARACTERS, Math.max(4, ...[...labels.values()].map((label) => label.length)));
  const idOf = (row: number): string => `${id}-${row}`;
  const items = virtual.getVirtualItems();
  // Times of another day are longer; the oldest in sight is the longest.
  const oldest = rows[items[0]?.index ?? 0]?.atNanos ?? 0n;
  const timeCh = formatMillisecond(Number(oldest / 1_000_000n), look.nowMs).length;
  const style: CSSProperties & Record<"--source" | "--time", string> = { "--source": `${longest}ch`, "--time": `${timeCh}ch` };
  const isCurrentShown = items.some(({ index }) => rows[index]?.id === current);
  return (
    <div
      ref={scroller}
      className={styles["scroller"]}
      role="grid"
      aria-label={tLater("logs-page/log")}
      aria-rowcount={rows.length}
      aria-multiselectable="true"
      aria-activedescendant={current !== undefined && isCurrentShown ? idOf(current) : undefined}
      tabIndex={0}
      style={style}
      onScroll={onScroll}
      onKeyDown={props.onKeyDown}
      data-log=""
    >
      <div role="rowgroup" className={styles["rows"]} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const shared = {
            label: labels.get(row.source) ?? "",
            look,
            index: item.index,
            domId: idOf(row.id),
            startPx: item.start,
            measure: isMeasured || row.type === "gap" || opened.has(row.id) ? virtual.measureElement : undefined,
          };
          if (row.type === "gap") return <LogGapRow key={row.id} row={row} {...shared} />;
          return (
            <LogLineRow
              key={row.id}
              row={row}
              source={byId.get(row.source)}
              {...shared}
              isCurrent={row.id === current}
              isChosen={isChosen(row.id)}
              isOpen={opened.has(row.id)}
              startsGroup={groupStarts.has(row.id)}
              onPress={onPress}
              onToggle={onToggle}
              linkTo={linkTo}
            />
          );
        })}
      </div>
    </div>
  );
}

/**
 * Drops the measured heights of rows that have fallen off, which the virtual list would retain as long as it is there. Heights are in the order in
 * which they were measured, mostly that of the rows: those that are out of order are dropped later.
 *
 * @param sizes heights by the id of the row, changed in place
 * @param firstId id of the oldest row that there is
 */
export function forgetSizes(sizes: Map<number | string | bigint, number>, firstId: number): void {
  for (const id of sizes.keys()) {
    if (Number(id) >= firstId) return;
    sizes.delete(id);
  }
}

function endOf({ startIndex, endIndex, count, overscan }: Range): number[] {
  const first = Math.max(0, count - (endIndex - startIndex + 1) - overscan);
  return Array.from({ length: count - first }, (_, index) => first + index);
}
