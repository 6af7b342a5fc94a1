"use client";
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { formatSecond } from "../../../ui/format-time.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Preference, usePreference } from "../../../ui/preference.ts";
import { tLater } from "../../../ui/messages.ts";
import { useNow } from "../../../ui/use-now.ts";
import { useWidths } from "../../../ui/use-widths.ts";
import type { LogsState } from "../../address/logs-state.ts";
import { useUrlState } from "../../address/use-url-state.ts";
import type { SearchHits } from "../../filter/search-hits.ts";
import { tailOf, type LogsOf } from "../read/log-request.ts";
import { readPageLogs } from "../read/page-logs.ts";
import type { LineRow } from "../store/log-row.ts";
import { keyOf, sourceLabels } from "../store/log-sources.ts";
import { lineText } from "../text/line-text.ts";
import { DownloadButton } from "./download-button.tsx";
import { LogBar, LogFoot } from "./log-bar.tsx";
import { LogList, type RowGoal } from "./log-list.tsx";
import { LogNotices } from "./log-notices.tsx";
import type { RowLook } from "./log-row.tsx";
import styles from "./logs.module.css";
import { NoLines } from "./no-lines.tsx";
import { useLineChoice, useLineGoal } from "./use-line-choice.ts";
import { useLogs, useSnapshot, type LiveLog } from "./use-logs.ts";
import { useSearch } from "./use-search.ts";

const WRAPS = new Preference<"on" | "off">("log_wrap", "off", (text) => text === "on" || text === "off");
/** Below this width a row has two lines. */
const NARROW_PX = 640;

/** The log of one or many pods: what is read of it lives in the address. */
export function LogBoard(props: {
  readonly of: LogsOf;
  /** What a file of it is called. */
  readonly name: string;
  /** More to choose, in the bar. */
  readonly children?: ReactNode;
}): ReactNode {
  const [url] = useUrlState();
  const live = useLogs(props.of, url.logs, readPageLogs);
  return <Board {...props} key={keyOfLog(live)} live={live} state={url.logs} />;
}

/** Another log is another board: nothing of what was chosen in the last one holds. */
const KEYS = new WeakMap<LiveLog, number>();
let nextKey = 1;
function keyOfLog(live: LiveLog): number {
  const key = KEYS.get(live) ?? nextKey++;
  KEYS.set(live, key);
  return key;
}

function Board(props: {
  readonly of: LogsOf;
  readonly name: string;
  readonly live: LiveLog;
  readonly state: LogsState;
  readonly children?: ReactNode;
}): ReactNode {
  const { of, name, live, state, children } = props;
  const [, setUrl, href] = useUrlState();
  const snapshot = useSnapshot(live);
  const { rows, version, sources, isPaused, waiting } = snapshot;
  const { store, reader } = live;
  const nowMs = useNow(60_000);
  const [wraps, setWraps] = usePreference(WRAPS);
  const [measureWidth, [width]] = useWidths();
  const isNarrow = width !== undefined && width < NARROW_PX;
  const scroller = useRef<HTMLDivElement>(null);
  const labels = useMemo(() => sourceLabels(sources), [sources]);
  const { search, found, problem } = useSearch(snapshot, state);
  const choice = useLineChoice(rows, version);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [goal, setGoal] = useState<RowGoal>();
  /** Scrolling to the end goes on only where scrolling up had paused. */
  const [isHeld, setHeld] = useState(false);
  const setState = useCallback(
    (change: Partial<LogsState>, how?: "push" | "replace") => setUrl({ logs: { ...state, ...change } }, how),
    [setUrl, state],
  );
  const pause = (): void => {
    setHeld(true);
    store.pause();
  };
  const follow = (): void => {
    setHeld(false);
    reader.resume();
  };
  const { go } = choice;
  const see = useCallback(
    (id: number, extend = false) => {
      setHeld(true);
      store.pause();
      go(id, extend);
      setGoal({ id });
    },
    [store, go],
  );
  const lineGoal = useLineGoal(snapshot, state.line, see);
  const step = (by: 1 | -1): void => {
    const at = rows.findIndex((row) => row.id === choice.current);
    const from = at >= 0 ? at : by === 1 ? -1 : rows.length;
    const row = search === undefined ? undefined : rows[search.next(rows, from, by)];
    if (row !== undefined) see(row.id);
  };
  const hits: SearchHits = {
    total: found.total,
    at: choice.current === undefined ? 0 : (search?.numberOf(rows, choice.current) ?? 0),
    step,
    leave: () => scroller.current?.focus(),
  };
  const toggle = useCallback(
    (id: number) => {
      // An opened line does not move away while it is read.
      store.pause();
      setOpened((before) => (before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id])));
    },
    [store],
  );
  const chosenText = (): string =>
    choice.chosen
      .flatMap((row) => {
        const source = sources.find(({ id }) => id === row.source);
        return row.type === "line" && source !== undefined ? [lineText(row, source)] : [];
      })
      .join("\n");
  const linkTo = useCallback(
    (row: LineRow): string => {
      const source = store.snapshot().sources.find(({ id }) => id === row.source);
      const line = source === undefined ? "" : `${keyOf(source)}@${row.timeNanos}`;
      return href({ logs: { ...state, line } });
    },
    [href, state, store],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = rows.findIndex((row) => row.id === choice.current);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / 20) - 2);
    const isCopy = event.key === "c" && (event.ctrlKey || event.metaKey);
    if (isCopy && choice.chosen.length > 0 && getSelection()?.isCollapsed !== false) {
      event.preventDefault();
      // Where a page came over plain HTTP from another host there is no clipboard.
      void (navigator.clipboard as Clipboard | undefined)?.writeText(chosenText()).catch(() => undefined);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const last = rows.length - 1;
    const start = at < 0 ? last : at;
    const to = {
      ArrowDown: at < 0 ? last : at + 1,
      ArrowUp: at < 0 ? last : at - 1,
      PageDown: start + page,
      PageUp: start - page,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === "Enter" && choice.current !== undefined) toggle(choice.current);
    else if (event.key === " " && choice.current !== undefined) choice.press({ id: choice.current, extends: event.shiftKey });
    else if (event.key === "Escape" && choice.chosen.length > 0) choice.clear();
    else if (to === undefined) return;
    else {
      const row = rows[Math.max(0, Math.min(last, to))];
      if (row !== undefined) see(row.id, event.shiftKey);
    }
    event.preventDefault();
  };
  const look = useMemo<RowLook>(
    () => ({ wraps: wraps === "on" || isNarrow, isNarrow, ranges: search?.ranges, nowMs }),
    [wraps, isNarrow, search, nowMs],
  );
  const containers = useMemo(() => [...new Set(sources.map(({ container }) => container))].toSorted(), [sources]);
  const missing = lineGoal.kind === "missing" ? formatSecond(Number(lineGoal.timeNanos / 1_000_000n), nowMs) : undefined;
  useEffect(() => {
    // A line of a link is shown with all that it has.
    if (lineGoal.kind === "found") setOpened(new Set([lineGoal.id]));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, [lineGoal.kind]);
  return (
    <div ref={measureWidth} className={styles["board"]} data-reading={snapshot.reading.kind}>
      <LogBar
        state={state}
        onState={setState}
        hits={hits}
        problem={problem}
        containers={containers}
        tail={tailOf(state)}
        wraps={isNarrow ? undefined : look.wraps}
        onWraps={(next) => setWraps(next ? "on" : "off")}
        nowMs={nowMs}
      >
        {children}
      </LogBar>
      <LogNotices snapshot={snapshot} labels={labels} missingLine={missing} nowMs={nowMs} />
      <div className={styles["stage"]}>
        {rows.length === 0 ? (
          <NoLines
            snapshot={snapshot}
            state={state}
            nowMs={nowMs}
            onRetry={() => reader.start()}
            onReadAll={() => setState({ tail: "all" })}
          />
        ) : (
          <LogList
            snapshot={snapshot}
            labels={labels}
            look={look}
            scroller={scroller}
            current={choice.current}
            isChosen={choice.isChosen}
            opened={opened}
            goal={goal}
            onScrolledUp={() => store.pause()}
            onScrolledToEnd={() => {
              if (!isHeld) reader.resume();
            }}
            onKeyDown={onKeyDown}
            onPress={choice.press}
            onToggle={toggle}
            linkTo={linkTo}
          />
        )}
        <output className={styles["fresh"]}>
          {isPaused && (
            <button type="button" className="btn sm primary" onClick={follow} data-fresh={waiting}>
              <Icon name="down" size={14} />
              {waiting > 0 ? tLater("logs-page/new-lines", { count: waiting }) : tLater("logs-page/to-end")}
            </button>
          )}
        </output>
      </div>
      <LogFoot snapshot={snapshot} labels={labels} chosen={choice.chosen.length} chosenText={chosenText} onPause={pause} onFollow={follow}>
        <DownloadButton of={of} state={state} name={name} />
      </LogFoot>
    </div>
  );
}
