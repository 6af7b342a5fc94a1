/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { nanosText } from "@binnacle/kube";
import type { MatchRange } from "@binnacle/pod-logs/filter";
import { LogLevel } from "@binnacle/proto/dashboard-logs";
import { memo, useEffect, useReducer, type MouseEvent, type ReactNode, type Ref } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { formatMillisecond } from "../../../ui/format-time.ts";
import { tLater } from "../../../ui/messages.ts";
import { shortenMiddle } from "@binnacle/presentation/text/shorten-middle";
import type { LineRanges } from "../search/line-ranges.ts";
import type { GapRow, LineRow } from "../store/log-row.ts";
import type { ShownSource } from "../store/log-sources.ts";
import { plainLine, styledParts, type PlainLine, type TextStyle } from "../text/ansi.ts";
import { looksLikeJson } from "../text/json-line.ts";
import { LineDetails } from "./line-details.tsx";
import styles from "./log-row.module.css";
import { visibleText } from "@binnacle/words";

/** So many characters of a source's name are shown beside its lines. */
export const SOURCE_CHARACTERS = 26;
/** A longer line is shown in full only where it is opened: its layout would take too long. */
const MAX_SHOWN = 4_000;
const NO_RANGES: readonly MatchRange[] = [];

const LEVELS: Readonly<
  Record<number, { readonly letter: string; readonly words: "debug" | "info" | "warning" | "error"; readonly look?: string }>
> = {
  [LogLevel.DEBUG]: { letter: "D", words: "debug" },
  [LogLevel.INFO]: { letter: "I", words: "info" },
  [LogLevel.WARNING]: { letter: "W", words: "warning", look: "warning" },
  [LogLevel.ERROR]: { letter: "E", words: "error", look: "error" },
};

/** How rows are shown, the same for all. */
export interface RowLook {
  readonly wraps: boolean;
  /** Text below time and source. */
  readonly isNarrow: boolean;
  /** Marks its matches. */
  readonly ranges: LineRanges | undefined;
  /** What now is, in steps of a minute: another one when times are formatted again. */
  readonly nowMs: number;
}

/** What a person did to a row. */
export interface RowPress {
  readonly id: number;
  /** With Shift: up to this row. */
  readonly extends: boolean;
}

/** A line: level, time, source, text. */
export const LogLineRow = memo(function LogLineRow(props: {
  readonly row: LineRow;
  readonly source: ShownSource | undefined;
  readonly label: string;
  readonly look: RowLook;
  readonly index: number;
  readonly domId: string;
  /** Pixels from the first row. */
  readonly startPx: number;
  readonly measure: Ref<HTMLDivElement> | undefined;
  readonly isCurrent: boolean;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  /** Lines were left out before it, between matches with their context. */
  readonly startsGroup: boolean;
  readonly onPress: (press: RowPress) => void;
  readonly onToggle: (id: number) => void;
  readonly linkTo: (row: LineRow) => string;
}): ReactNode {
  const { row, source, label, look, index, domId, startPx, measure, isCurrent, isChosen, isOpen, startsGroup } = props;
  const { onPress, onToggle, linkTo } = props;
  const line = plainLine(row.text);
  const ranges = useRanges(row.isContext ? undefined : look.ranges, line.text);
  const to = Math.min(line.text.length, MAX_SHOWN);
  const level = LEVELS[row.level];
  const press = (event: MouseEvent): void => {
    // A selection of text does not choose lines.
    if (getSelection()?.isCollapsed === false && !event.shiftKey) return;
    onPress({ id: row.id, extends: event.shiftKey });
  };
  const classes = [
    styles["row"],
    look.wraps ? styles["wrapped"] : "",
    look.isNarrow ? styles["narrow"] : "",
    level?.look === undefined ? "" : styles[level.look],
    row.isContext ? styles["context"] : "",
    isChosen ? styles["chosen"] : "",
    isCurrent ? styles["current"] : "",
  ];
  const full = source === undefined ? "" : `${source.namespace}/${source.pod}/${source.container}`;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the grid has the focus and takes the keys
    <div
      ref={measure}
      id={domId}
      data-index={index}
      data-line={row.id}
      data-level={level?.words}
      data-context={row.isContext ? "" : undefined}
      className={classes.join(" ")}
      style={{ transform: `translateY(${startPx}px)` }}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isChosen}
      onClick={press}
    >
      {startsGroup && (
        <span role="gridcell" className={styles["left-out"]} title={tLater("logs-page/left-out")} data-left-out="">
          <span aria-hidden="true">…</span>
          <span className="visually-hidden">{tLater("logs-page/left-out")}</span>
        </span>
      )}
      <span role="gridcell" className={styles["level"]} title={level && tLater(`logs-page/level/${level.words}`)}>
        <span aria-hidden="true">{level?.letter}</span>
        {level !== undefined && <span className="visually-hidden">{tLater(`logs-page/level/${level.words}`)}</span>}
      </span>
      <span role="gridcell" className={styles["time"]} title={nanosText(row.timeNanos)}>
        <time dateTime={nanosText(row.timeNanos)}>{formatMillisecond(Number(row.timeNanos / 1_000_000n), look.nowMs)}</time>
      </span>
      <span role="gridcell" className={styles["source"]} data-colour={source?.colour} title={full} translate="no">
        {shortenMiddle(label, SOURCE_CHARACTERS)}
      </span>
      <span role="gridcell" className={styles["text"]} translate="no">
        {looksLikeJson(line.text) && (
          <button
            type="button"
            tabIndex={-1}
            className={styles["open"]}
            aria-expanded={isOpen}
            aria-label={tLater(isOpen ? "logs-page/hide" : "logs-page/show")}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(row.id);
            }}
          >
            {"{ }"}
          </button>
        )}
        <span data-quoted="">
          <LogText line={line} ranges={ranges} to={to} />
        </span>
        {to < line.text.length && (
          <span className={styles["note"]}>{tLater("logs-page/more-characters", { count: line.text.length - to })}</span>
        )}
        {row.cutBytes > 0 && <span className={styles["note"]}>{tLater("logs-page/cut", { count: row.cutBytes })}</span>}
      </span>
      {isOpen && source !== undefined && <LineDetails row={row} text={line.text} source={source} link={linkTo(row)} />}
    </div>
  );
});

/** Where lines are missing. */
export function LogGapRow(props: {
  readonly row: GapRow;
  readonly label: string;
  readonly look: RowLook;
  readonly index: number;
  readonly domId: string;
  /** Pixels from the first row. */
  readonly startPx: number;
  readonly measure: Ref<HTMLDivElement> | undefined;
}): ReactNode {
  const { row, label, look, index, domId, startPx, measure } = props;
  const at = (nanos: bigint | undefined): string | undefined =>
    nanos === undefined ? undefined : formatMillisecond(Number(nanos / 1_000_000n), look.nowMs);
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the grid has the focus
    <div
      ref={measure}
      id={domId}
      data-index={index}
      data-gap=""
      className={styles["gap"]}
      style={{ transform: `translateY(${startPx}px)` }}
      role="row"
      aria-rowindex={index + 1}
    >
      <span role="gridcell">
        <Icon name="info" size={14} /> {tLater("logs-page/gap", { source: label, after: at(row.afterNanos), before: at(row.beforeNanos) })}
      </span>
    </div>
  );
}

/** The matches of a line that is shown; none until they are known. @param line without colours */
function useRanges(ranges: LineRanges | undefined, line: string): readonly MatchRange[] {
  const [, showAgain] = useReducer((times: number) => times + 1, 0);
  const known = ranges?.known(line);
  const isMissing = ranges !== undefined && known === undefined;
  useEffect(() => {
    if (ranges === undefined || !isMissing) return undefined;
    let isOver = false;
    void ranges.load(line).then(() => {
      if (!isOver) showAgain();
    });
    return () => {
      isOver = true;
    };
  }, [ranges, line, isMissing]);
  return known ?? NO_RANGES;
}

/** A line with its colours and its matches; what cannot be seen has a mark, and nothing of it is HTML. @param props.to characters from its start: the rest is not shown */
function LogText({
  line,
  ranges,
  to,
}: {
  readonly line: PlainLine;
  readonly ranges: readonly MatchRange[];
  readonly to: number;
}): ReactNode {
  const nodes: ReactNode[] = [];
  const plain = (from: number, until: number): ReactNode[] =>
    styledParts(line, from, until).map(({ text, style }, index) => {
      const look = classOf(style);
      // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no other name than their place
      return look === "" ? (
        visibleText(text)
      ) : (
        <span key={`${from} ${index}`} className={look}>
          {visibleText(text)}
        </span>
      );
    });
  let at = 0;
  for (const range of ranges) {
    if (range.start >= to) break;
    const end = Math.min(range.end, to);
    nodes.push(...plain(at, range.start), <mark key={`mark ${range.start}`}>{plain(range.start, end)}</mark>);
    at = end;
  }
  nodes.push(...plain(at, to));
  return nodes;
}

function classOf(style: TextStyle): string {
  const { colour, isBold = false, isFaint = false, isItalic = false, isUnderlined = false, isStruck = false } = style;
  return [
    colour === undefined ? undefined : styles[colour],
    isBold ? styles["bold"] : undefined,
    isFaint ? styles["faint"] : undefined,
    isItalic ? styles["italic"] : undefined,
    isUnderlined ? styles["underlined"] : undefined,
    isStruck ? styles["struck"] : undefined,
  ]
    .filter((name) => name !== undefined)
    .join(" ");
}
