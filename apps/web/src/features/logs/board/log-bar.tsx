"use client";
import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { formatSecond } from "../../../ui/format-time.ts";
import { MultiChoice } from "../../../ui/multi-choice.tsx";
import { tLater } from "../../../ui/messages.ts";
import { Tip } from "../../../ui/tip.tsx";
import { LEVEL_WORDS, type LogsState } from "../../address/logs-state.ts";
import bar from "../../filter/filter-bar.module.css";
import { SearchField } from "../../filter/search-field.tsx";
import type { SearchHits } from "../../filter/search-hits.ts";
import styles from "./logs.module.css";
import type { LogSnapshot } from "../store/log-store.ts";
import { CopyButton } from "./line-details.tsx";
import { SourceList } from "./source-list.tsx";

const SINCE = ["", "5m", "1h", "24h"] as const;
const CONTEXT_LINES = ["0", "2", "5"] as const;
const TAILS = ["200", "1000", "5000", "all"] as const;

/** What of a log is read, and what is searched in it; it lives in the address. */
export function LogBar(props: {
  readonly state: LogsState;
  readonly onState: (change: Partial<LogsState>, how?: "push" | "replace") => void;
  readonly hits: SearchHits;
  /** Why the expression is none; empty if it is one. */
  readonly problem: string;
  /** Names of containers to choose from. */
  readonly containers: readonly string[];
  /** The last lines that are requested; `undefined` for all. */
  readonly tail: number | undefined;
  /** Absent where lines are always wrapped. */
  readonly wraps: boolean | undefined;
  readonly onWraps: (wraps: boolean) => void;
  readonly nowMs: number;
  /** More to choose. */
  readonly children?: ReactNode;
}): ReactNode {
  const { state, onState, hits, problem, containers, tail, wraps, onWraps, nowMs, children } = props;
  const toggle = (key: "isExpression" | "matchesCase" | "isOnly"): (() => void) => {
    return () => onState({ [key]: !state[key] });
  };
  const sinces: readonly string[] = SINCE.some((each) => each === state.since) ? SINCE : [...SINCE, state.since];
  const tailNow = tail === undefined ? "all" : String(tail);
  const tails: readonly string[] = TAILS.some((each) => each === tailNow) ? TAILS : [...TAILS, tailNow];
  const context = String(state.contextLines);
  const contexts: readonly string[] = CONTEXT_LINES.some((each) => each === context) ? CONTEXT_LINES : [...CONTEXT_LINES, context];
  return (
    <search className={bar["bar"]} aria-label={tLater("logs-page/bar")}>
      <SearchField label={tLater("logs-page/find")} value={state.find} onChange={(find) => onState({ find }, "replace")} hits={hits} />
      <SignToggle
        sign={tLater("logs-page/case-sign")}
        label={tLater("logs-page/matches-case")}
        isOn={state.matchesCase}
        onPress={toggle("matchesCase")}
      />
      <SignToggle sign=".*" label={tLater("logs-page/expression")} isOn={state.isExpression} onPress={toggle("isExpression")} />
      {state.find !== "" && (
        <button type="button" className="btn sm" aria-pressed={state.isOnly} onClick={toggle("isOnly")}>
          {tLater("logs-page/only")}
        </button>
      )}
      {state.find !== "" && state.isOnly && (
        <Choice
          label={tLater("logs-page/context-lines")}
          value={context}
          options={contexts}
          wordOf={(each) =>
            each === "0" ? tLater("logs-page/context-lines/none") : tLater("logs-page/context-lines/some", { count: Number(each) })
          }
          onChange={(each) => onState({ contextLines: Number(each) })}
        />
      )}
      {children}
      <MultiChoice
        label={tLater("logs-page/level")}
        options={LEVEL_WORDS}
        chosen={state.levels}
        wordOf={(level) => tLater(LEVEL_WORDS_OF[level] ?? "logs-page/level/none")}
        onChange={(levels) => onState({ levels })}
      />
      {(containers.length > 1 || state.containers.length > 0) && (
        <MultiChoice
          label={tLater("ui/container")}
          options={[...new Set([...containers, ...state.containers])]}
          chosen={state.containers}
          onChange={(chosen) => onState({ containers: chosen })}
        />
      )}
      <Choice
        label={tLater("ui/since-label")}
        value={state.since}
        options={sinces}
        wordOf={(since) => {
          if (since === "") return tLater("logs-page/since/all");
          if (since === "5m" || since === "1h" || since === "24h") return tLater(`logs-page/since/${since}`);
          return tLater("logs-page/since/at", { at: formatSecond(Date.parse(since), nowMs) });
        }}
        onChange={(since) => onState({ since, line: "" })}
      />
      <Choice
        label={tLater("logs-page/tail")}
        value={tailNow}
        options={tails}
        wordOf={(each) => (each === "all" ? tLater("logs-page/tail/all") : tLater("logs-page/tail/last", { count: Number(each) }))}
        onChange={(chosen) => onState({ tail: chosen, line: "" })}
      />
      <button
        type="button"
        className="btn sm"
        aria-pressed={state.previous}
        onClick={() => onState({ previous: !state.previous, line: "" })}
      >
        {tLater("logs-page/previous")}
      </button>
      {wraps !== undefined && (
        <button type="button" className="btn sm" aria-pressed={wraps} onClick={() => onWraps(!wraps)}>
          {tLater("logs-page/wrap")}
        </button>
      )}
      {problem !== "" && <output className={styles["problem"]}>{tLater("logs-page/invalid-expression", { reason: problem })}</output>}
    </search>
  );
}

const LEVEL_WORDS_OF = {
  debug: "logs-page/level/debug",
  info: "logs-page/level/info",
  warning: "logs-page/level/warning",
  error: "logs-page/level/error",
} as Readonly<Record<string, `logs-page/level/${"debug" | "info" | "warning" | "error"}`>>;

function SignToggle(props: {
  readonly sign: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly onPress: () => void;
}): ReactNode {
  const { sign, label, isOn, onPress } = props;
  return (
    <Tip text={label}>
      <button type="button" className={`btn icon sm ${styles["sign"]}`} aria-label={label} aria-pressed={isOn} onClick={onPress}>
        {sign}
      </button>
    </Tip>
  );
}

/** One of several, as the browser offers it. */
function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly wordOf: (option: string) => string;
  readonly onChange: (option: string) => void;
}): ReactNode {
  const { label, value, options, wordOf, onChange } = props;
  return (
    <span className={styles["select"]}>
      <select aria-label={label} title={label} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {wordOf(option)}
          </option>
        ))}
      </select>
      <Icon name="down" size={14} />
    </span>
  );
}

/** What there is, and what can be done with it: pause, copy, download. */
export function LogFoot(props: {
  readonly snapshot: LogSnapshot;
  readonly labels: ReadonlyMap<number, string>;
  /** Lines that are chosen. */
  readonly chosen: number;
  readonly chosenText: () => string;
  readonly onPause: () => void;
  readonly onFollow: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { snapshot, labels, chosen, chosenText, onPause, onFollow, children } = props;
  const { rows, sources, isPaused, reading } = snapshot;
  const lines = rows.length;
  const isOver = reading.kind === "ended" || reading.kind === "rejected" || reading.kind === "session-ended";
  return (
    <div className={styles["foot"]}>
      {(!isOver || isPaused) && (
        <button type="button" className="btn sm" onClick={isPaused ? onFollow : onPause} data-pause="">
          <Icon name={isPaused ? "resume" : "hold"} size={14} />
          {isPaused ? tLater("logs-page/follow") : tLater("ui/pause")}
        </button>
      )}
      {sources.length > 0 && <SourceList sources={sources} labels={labels} />}
      <span className="num" data-count={lines}>
        {tLater("logs-page/lines", { count: lines })}
      </span>
      {reading.kind === "ended" && <span className="muted">{tLater("logs-page/ended")}</span>}
      <span className="grow" />
      {chosen > 0 && <CopyButton text={chosenText} label={tLater("logs-page/copy-lines", { count: chosen })} />}
      {children}
    </div>
  );
}
