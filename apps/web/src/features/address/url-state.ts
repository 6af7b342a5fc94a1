import { DEFAULT_EDGES } from "@binnacle/presentation/graph/default-edges";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import { logsQuery, NO_LOGS_STATE, parseLogsState, type LogsState } from "./logs-state.ts";

/** Unfolded: more issues than the first. */
export const ALL_ISSUES = "issues";

/** Unfolded: what is not counted. */
export const UNCOUNTED = "uncounted";

/** Order of issues: what began last first; anything else is worst first. */
export const NEWEST = "newest";

/** Views of an environment. */
export type EnvironmentView = "summary" | "graph" | "list" | "events" | "logs";

/** Tabs of the drawer in their order, as an address has them. */
export const DRAWER_TABS = ["overview", "relations", "manifest", "yaml", "events", "logs", "terminal"] as const;

/** A tab of the drawer. What each shows: resource-detail/drawer-tabs.ts. */
export type DrawerTab = (typeof DRAWER_TABS)[number];

/** Everything of a view that lives in its address, so that a link shows the same and the back button undoes. */
export interface UrlState {
  readonly view: EnvironmentView;
  /** Selected resource, `{group}/{resource}/{ns}/{name}`; empty when none is. */
  readonly sel: string;
  readonly tab: DrawerTab;
  /** The terminal fills the page: its container. Only with the terminal of a pod, else empty. */
  readonly full: string;
  /** Lines of the YAML that a link is about, "12" or "12-20"; empty for none. */
  readonly line: string;
  readonly q: string;
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
  /** Words as `keyOfStatus` gives them. */
  readonly health: readonly string[];
  readonly onlyProblems: boolean;
  /** List: how it came to be, "direct" by a tool, "generated" from such a resource, "foreign" by neither; empty shows all. */
  readonly managed: string;
  /** List: grouped by kind. */
  readonly group: string;
  /** List: the column that it is sorted by, "-restarts" the other way round; empty is worst first. */
  readonly sort: string;
  /** List: the columns that are shown; empty are those that the reader has chosen. */
  readonly columns: readonly string[];
  /** Graph: preset of edges. */
  readonly edges: string;
  /** Graph: folds that are open, by their ids. */
  readonly open: readonly string[];
  /** Summary: issues that show their resources, by their keys; `ALL_ISSUES` and `UNCOUNTED` stand for parts of the list. */
  readonly unfolded: readonly string[];
  /** Graph: where it is looked at, "3.5,12,80": the column and row in the middle, and the zoom in percent; empty for its beginning. */
  readonly at: string;
  /** Graph: only what is around a resource, how many lines away at most and its `sel`, "2,apps/deployments/shop/web"; empty for everything. */
  readonly around: string;
  /** Graph drawn as a tree. */
  readonly tree: boolean;
  /** Events: only of this type, "Warning" or "Normal"; empty shows all. */
  readonly type: string;
  /** Events: only for these reasons. */
  readonly reasons: readonly string[];
  /** Events: "warnings" for groups with most warnings first; else the newest. */
  readonly order: string;
  /** What of a log is read and shown. */
  readonly logs: LogsState;
}

/** Reads the query. An unknown view is the graph and an unknown tab the overview, the defaults; the next address that is written has neither. */
export function parseUrlState(query: URLSearchParams | { get(name: string): string | null }): UrlState {
  const view = query.get("view");
  const sel = query.get("sel") ?? "";
  const tab = DRAWER_TABS.find((each) => each === query.get("tab")) ?? "overview";
  return {
    view: view === "summary" || view === "list" || view === "events" || view === "logs" ? view : "graph",
    sel,
    tab,
    full: isTerminal({ sel, tab }) ? (query.get("full") ?? "") : "",
    line: linesOf(query.get("line")),
    q: query.get("q") ?? "",
    namespaces: listOf(query.get("ns")),
    kinds: listOf(query.get("kind")),
    health: listOf(query.get("health")),
    onlyProblems: query.get("problems") === "1",
    managed: query.get("managed") ?? "",
    group: query.get("group") ?? "",
    sort: query.get("sort") ?? "",
    columns: listOf(query.get("cols")),
    edges: query.get("edges") ?? DEFAULT_EDGES,
    open: idsOf(query.get("open")),
    unfolded: idsOf(query.get("unfolded")),
    at: placeOf(query.get("at")),
    around: query.get("around") ?? "",
    tree: query.get("as") === "tree",
    type: query.get("type") ?? "",
    reasons: listOf(query.get("reason")),
    order: query.get("order") ?? "",
    logs: parseLogsState(query),
  };
}

/** What a change makes of an address: lines, a terminal that fills the page and choices of logs are those of one resource, tab or view. */
export function changedUrlState(state: UrlState, change: Partial<UrlState>): UrlState {
  const isOther = change.sel !== undefined && change.sel !== state.sel;
  const isOtherTab = change.tab !== undefined && change.tab !== state.tab;
  const before = logsPlaceOf(state);
  const after = { ...state, ...(isOther && { line: "" }), ...((isOther || isOtherTab) && { full: "" }), ...change };
  return change.logs === undefined && before !== "" && logsPlaceOf(after) !== before ? { ...after, logs: NO_LOGS_STATE } : after;
}

function isTerminal({ sel, tab }: Pick<UrlState, "sel" | "tab">): boolean {
  return tab === "terminal" && sel.startsWith("core/pods/");
}

/** Where logs are shown: of which resource, or in the view of them. */
function logsPlaceOf({ view, sel, tab }: UrlState): string {
  if (sel !== "" && tab === "logs") return sel;
  return view === "logs" ? "view" : "";
}

/** Writes the query; defaults are left out. */
export function encodeUrlState(state: UrlState): string {
  const query = new URLSearchParams();
  query.set("view", state.view);
  const put = (key: string, value: string, fallback = ""): void => {
    if (value !== fallback) query.set(key, value);
  };
  put("sel", state.sel);
  put("tab", state.sel === "" ? "overview" : state.tab, "overview");
  put("full", isTerminal(state) ? state.full : "");
  put("line", state.sel !== "" && state.tab === "yaml" ? state.line : "");
  put("q", state.q);
  put("ns", state.namespaces.join(","));
  put("kind", state.kinds.join(","));
  put("health", state.health.join(","));
  put("problems", state.onlyProblems ? "1" : "");
  put("managed", state.managed);
  put("group", state.group);
  put("sort", state.sort);
  put("cols", state.columns.join(","));
  put("edges", state.edges, DEFAULT_EDGES);
  put("open", textOfIds(state.open));
  put("unfolded", textOfIds(state.unfolded));
  put("at", state.view === "graph" && !state.tree ? state.at : "");
  put("around", state.around);
  put("as", state.tree ? "tree" : "");
  put("type", state.type);
  put("reason", state.reasons.join(","));
  put("order", state.order);
  if (logsPlaceOf(state) !== "") for (const [key, value] of Object.entries(logsQuery(state.logs))) put(key, value);
  return query.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");
}

/** `{group}/{resource}/{ns}/{name}`; the core group is written `core`. Survives the re-creation of the object. */
export function selectionOf(ref: ResourceRef): string {
  return [ref.group === "" ? "core" : ref.group, ref.resource === "" ? ref.kind.toLowerCase() : ref.resource, ref.namespace, ref.name].join(
    "/",
  );
}

function linesOf(text: string | null): string {
  return text !== null && /^\d{1,7}(?:-\d{1,7})?$/.test(text) ? text : "";
}

function idsOf(text: string | null): readonly string[] {
  return listOf(text).map((id) => id.replaceAll("%2C", ",").replaceAll("%25", "%"));
}

/** Names of some kinds may have commas. */
function textOfIds(ids: readonly string[]): string {
  return ids.map((id) => id.replaceAll("%", "%25").replaceAll(",", "%2C")).join(",");
}

/** Of whatever else stands there nothing is left: it would lead nowhere. */
function placeOf(text: string | null): string {
  const zoom = text === null ? undefined : /^-?\d{1,3}(?:\.\d)?,-?\d{1,5}(?:\.\d)?,(\d{1,3})$/.exec(text)?.[1];
  return text !== null && Number(zoom) >= 2 && Number(zoom) <= 200 ? text : "";
}

function listOf(text: string | null): readonly string[] {
  return text === null || text === "" ? [] : text.split(",");
}
