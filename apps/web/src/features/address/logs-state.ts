/** What of a log is read and shown, in the address of a page. */
export interface LogsState {
  /** View of logs: the workloads and pods that are read, by their `sel`; none: every pod. */
  readonly of: readonly string[];
  /** Names of containers; none: all. */
  readonly containers: readonly string[];
  /** The run before the last restart. */
  readonly previous: boolean;
  /** "5m", "1h", "24h", a time of RFC 3339, or "" for all that there is. */
  readonly since: string;
  /** The last lines of each container: "200", "5000", "all"; "" for `DEFAULT_TAIL`. */
  readonly tail: string;
  /** Words of `LEVEL_WORDS`; none: all. */
  readonly levels: readonly string[];
  /** What is searched. */
  readonly find: string;
  readonly isExpression: boolean;
  readonly matchesCase: boolean;
  /** Only lines with a match are read. */
  readonly isOnly: boolean;
  /** Lines before and after each match that are read too where only matches are; 0 to `MAX_CONTEXT_LINES`. */
  readonly contextLines: number;
  /** The line that a link is about, `{namespace}/{pod}/{container}@{nanoseconds since 1970}`; "" for none. */
  readonly line: string;
}

/** How many lines of each container are read at the beginning where nothing is chosen. */
export const DEFAULT_TAIL = 1_000;
const DEFAULT_CONTEXT_LINES = 2;
/** As many as `LogFilter.context_lines` takes. */
const MAX_CONTEXT_LINES = 10;

/** What nothing is chosen of. */
export const NO_LOGS_STATE: LogsState = {
  of: [],
  containers: [],
  previous: false,
  since: "",
  tail: "",
  levels: [],
  find: "",
  isExpression: false,
  matchesCase: false,
  isOnly: false,
  contextLines: DEFAULT_CONTEXT_LINES,
  line: "",
};

/** Levels as an address has them. */
export const LEVEL_WORDS = ["debug", "info", "warning", "error"] as const;

const SPAN = /^(?:\d{1,4}[mh]|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)$/;
const LINE = /^[^/@]+\/[^/@]+\/[^/@]+@\d{1,19}$/;

/** Reads the query; what is no choice is none. */
export function parseLogsState(query: Pick<URLSearchParams, "get">): LogsState {
  const match = listOf(query.get("match"));
  const tail = query.get("tail") ?? "";
  const context = query.get("context") ?? "";
  return {
    of: listOf(query.get("of")).slice(0, 100),
    containers: listOf(query.get("container")),
    previous: query.get("previous") === "1",
    since: textOf(query.get("since"), SPAN),
    tail: tail === "all" || (/^\d{1,6}$/.test(tail) && Number(tail) <= 100_000) ? tail : "",
    levels: listOf(query.get("level")).filter((word) => LEVEL_WORDS.some((each) => each === word)),
    find: (query.get("find") ?? "").slice(0, 1_000),
    isExpression: match.includes("regex"),
    matchesCase: match.includes("case"),
    isOnly: match.includes("only"),
    contextLines: /^\d{1,2}$/.test(context) && Number(context) <= MAX_CONTEXT_LINES ? Number(context) : DEFAULT_CONTEXT_LINES,
    line: textOf(query.get("at-line"), LINE),
  };
}

/** What the query says of logs, by its names; empty texts are left out of an address. */
export function logsQuery(state: LogsState): Readonly<Record<string, string>> {
  const match = [...(state.isExpression ? ["regex"] : []), ...(state.matchesCase ? ["case"] : []), ...(state.isOnly ? ["only"] : [])];
  return {
    of: state.of.join(","),
    container: state.containers.join(","),
    previous: state.previous ? "1" : "",
    since: state.since,
    tail: state.tail,
    level: state.levels.join(","),
    find: state.find,
    match: match.join(","),
    context: state.contextLines === DEFAULT_CONTEXT_LINES ? "" : String(state.contextLines),
    "at-line": state.line,
  };
}

function textOf(text: string | null, pattern: RegExp): string {
  return text !== null && pattern.test(text) ? text : "";
}

function listOf(text: string | null): readonly string[] {
  return text === null || text === "" ? [] : text.split(",");
}
