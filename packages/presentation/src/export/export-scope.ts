import type { Source } from "@binnacle/proto/dashboard";
import { SettledState } from "@binnacle/proto/dashboard-enums";
import { words } from "@binnacle/words";

import { formatAbsolute } from "../text/format-time.ts";
import { messageText, tLater } from "../text/messages.ts";
import type { Freshness } from "../view/freshness.ts";
import type { ViewState } from "../view/view-state.ts";

/** What is exported. */
export type ExportSubject = "graph" | "list" | "issues" | "summary" | "events";

/** What a file states about its content, so that a later reader does not take a part for everything, or old data for current. */
export interface ExportScope {
  readonly subject: ExportSubject;
  readonly project: string;
  readonly environment: string;
  /** Which part of the cluster it is; empty when unknown. */
  readonly part: string;
  /** One text for each filter; empty without any. */
  readonly filters: readonly string[];
  /** Milliseconds since the epoch, by the server's clock. */
  readonly asOfMs: number;
  /** "As of 24 Nov 2026, 18:39:19 UTC". */
  readonly asOf: string;
  /** How the page knew it. */
  readonly connection: string;
  /** What is hidden, forbidden, cut, folded or not read. */
  readonly gaps: readonly string[];
}

/** What is known where something leaves the view. */
export interface ScopeFacts {
  readonly subject: ExportSubject;
  readonly view: ViewState;
  readonly freshness: Freshness;
  /** One text for each filter. */
  readonly filters: readonly string[];
  readonly nowMs: number;
  /** What this subject leaves out besides what the view does. */
  readonly gaps?: readonly string[];
}

/** What a file made now says of itself. */
export function scopeOf({ subject, view, freshness, filters, nowMs, gaps = [] }: ScopeFacts): ExportScope {
  const { environment, sources, complete } = view;
  const aged = freshness.kind !== "live" && "asOfMs" in freshness ? freshness.asOfMs : nowMs;
  const asOfMs = freshness.pausedMs ?? aged;
  return {
    subject,
    project: environment?.projectPath ?? "",
    environment: environment?.name ?? "",
    part: messageText(environment?.scope) || (environment?.namespace ?? ""),
    filters,
    asOfMs,
    asOf: tLater(freshness.pausedMs === undefined ? "export/as-of" : "export/as-of/held", { at: formatAbsolute(asOfMs, nowMs) }),
    connection: connectionOf(freshness, environment?.agentName ?? "", nowMs),
    gaps: [...gaps, ...sourceGaps(sources), ...(complete ? [] : [tLater("export/gap/reading")])],
  };
}

/** All that a file says of itself, a line each. */
export function scopeLines(scope: ExportScope): readonly string[] {
  const { project, environment, part, filters, asOf, connection, gaps } = scope;
  return [
    [tLater("export/of", { environment, project }), part].filter((text) => text !== "").join(", "),
    filters.length === 0 ? tLater("export/filter/none") : filters.join("; "),
    `${asOf}. ${connection}.`,
    gaps.length === 0 ? tLater("export/gap/none") : tLater("export/gaps", { names: gaps.join("; ") }),
  ];
}

function connectionOf(freshness: Freshness, agent: string, nowMs: number): string {
  const since = "sinceMs" in freshness && freshness.sinceMs !== undefined ? formatAbsolute(freshness.sinceMs, nowMs) : undefined;
  return tLater(`export/connection/${freshness.kind}`, { agent, since });
}

function sourceGaps(sources: readonly Source[]): readonly string[] {
  const forbidden = namesOf(sources.filter(({ settled }) => settled === SettledState.FORBIDDEN));
  const failed = namesOf(sources.filter(({ settled }) => settled === SettledState.ERROR));
  return [
    ...(forbidden.length === 0 ? [] : [tLater("export/gap/forbidden", { kinds: fewOf(forbidden) })]),
    ...(failed.length === 0 ? [] : [tLater("export/gap/failed", { kinds: fewOf(failed) })]),
    ...namesOf(sources.filter(isCut)).map((resource) =>
      cutWords(
        resource,
        sources.filter((source) => isCut(source) && source.resource === resource),
      ),
    ),
  ];
}

function isCut({ settled }: Source): boolean {
  return settled === SettledState.TRUNCATED;
}

function cutWords(resource: string, sources: readonly Source[]): string {
  const shown = sources.reduce((sum, source) => sum + source.shown, 0);
  const total = sources.reduce((sum, source) => sum + source.total, 0);
  return total <= shown
    ? tLater("export/gap/truncated-in-part", { resource, shown })
    : tLater("export/gap/truncated", { resource, shown, total });
}

const MAX_NAMED = 12;

function namesOf(sources: readonly Source[]): readonly string[] {
  return [...new Set(sources.map(({ resource }) => resource))].sort();
}

function fewOf(names: readonly string[]) {
  return names.length <= MAX_NAMED ? names : words("list/more", { names: names.slice(0, MAX_NAMED), more: names.length - MAX_NAMED });
}
