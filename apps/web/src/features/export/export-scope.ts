import { scopeOf, type ExportScope, type ExportSubject, type ScopeFacts } from "@binnacle/presentation/export/export-scope";
import { tLater } from "../../ui/messages.ts";
import { parseAround } from "../address/around-in-address.ts";
import { nameOfSelection } from "../address/name-of-selection.ts";
import { DEFAULT_EDGES } from "@binnacle/presentation/graph/default-edges";
import { NEWEST, type UrlState } from "../address/url-state.ts";

/** What is known where something leaves the page. */
export interface ExportFacts extends Omit<ScopeFacts, "filters"> {
  readonly url: UrlState;
}

/** What a file made now says of itself. */
export function exportScopeOf({ url, ...facts }: ExportFacts): ExportScope {
  return scopeOf({ ...facts, filters: filtersOf(url, facts.subject) });
}

function filtersOf(url: UrlState, subject: ExportSubject): readonly string[] {
  const { q, kinds, namespaces, health, onlyProblems, managed, edges, order } = url;
  const around = parseAround(url.around);
  const isOfIssues = subject === "issues" || subject === "summary";
  const named = (id: "search" | "kind" | "namespace" | "health" | "managed" | "edges", names: string): string[] =>
    names === "" ? [] : [tLater(`export/filter/${id}`, { names })];
  return [
    // The graph dims what the search does not find, and leaves nothing out.
    ...named("search", subject === "graph" ? "" : q.trim()),
    ...named("kind", kinds.join(", ")),
    ...named("namespace", isOfIssues ? "" : namespaces.join(", ")),
    ...named("health", health.join(", ")),
    ...(onlyProblems && !isOfIssues ? [tLater("filter/only-problems")] : []),
    ...named("managed", subject === "list" ? managed : ""),
    ...(isOfIssues && order === NEWEST ? [tLater("ui/newest-first")] : []),
    ...(subject === "graph" && around.centre !== ""
      ? [tLater("export/filter/around", { count: around.hops, names: nameOfSelection(around.centre) })]
      : []),
    ...named("edges", subject === "graph" && edges !== DEFAULT_EDGES ? edges : ""),
  ];
}
