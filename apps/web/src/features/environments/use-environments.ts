"use client";
import { useEffect, useState, useCallback, useMemo } from "react";
import type { WatchEnvironmentsResponse } from "@binnacle/proto/dashboard";
import { useSearchParams } from "next/navigation";
import { millisOf } from "../../ui/format-time.ts";
import { pageBegins, serverTime } from "../../ui/server-time.ts";
import { liveTopics } from "../live/live-topics.ts";
import { sessionEndedProblem } from "../live/session-ended-problem.ts";
import { applyRows, sentRows, START, type EnvironmentsState } from "./environments-state.ts";
import { parseFolders, withFolders } from "./dynamic/use-open-folders.ts";
import { encodeIndexFilter, parseIndexFilter, type IndexFilter } from "./index-filter.ts";

/**
 * Follows the environments of a project while mounted.
 *
 * @param visible names of those on the screen, sent to the server with a new stream: change it seldom
 * @param issues rows have all their issues
 * @param sent what the page was sent with; read once
 */
export function useEnvironments(
  projectPath: string,
  options: { readonly visible: readonly string[]; readonly issues: boolean; readonly sent: WatchEnvironmentsResponse | undefined },
): EnvironmentsState {
  const { visible, issues, sent } = options;
  const [state, setState] = useState(() => {
    pageBegins(sent?.sentAt);
    return sent === undefined ? START : sentRows(sent);
  });
  const key = JSON.stringify(visible);
  useEffect(() => {
    let first = true;
    return liveTopics().subscribe(
      { what: "environments", projectPath, visible: visibleOf(key), issues },
      {
        take: ({ answer, atMs, first: begins }) => {
          if (answer.case !== "environments") return;
          const message = answer.value;
          const nowMs = serverTime.heard(message.sentAt && millisOf(message.sentAt), atMs);
          const isFirst = first || begins;
          // A stream may begin with "not now": the first list is the one that names all there is.
          first = isFirst && !message.complete;
          setState((before) => applyRows(before, message, { nowMs, first: isFirst }));
        },
        lost: () => setState((before) => ({ ...before, lost: true })),
        unauthenticated: () => setState((before) => ({ ...before, problem: sessionEndedProblem() })),
      },
    );
  }, [projectPath, key, issues]);
  return state;
}

function visibleOf(key: string): string[] {
  const names: unknown = JSON.parse(key);
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

/** What the address says of the filter, and how to change that: with every key, so no step of the back button. */
export function useIndexFilter(): readonly [IndexFilter, (change: Partial<IndexFilter>) => void] {
  const query = useSearchParams();
  const filter = useMemo(() => parseIndexFilter(query), [query]);
  const set = useCallback((change: Partial<IndexFilter>) => {
    const query = new URLSearchParams(location.search);
    const next = withFolders(encodeIndexFilter({ ...parseIndexFilter(query), ...change }), parseFolders(query));
    history.replaceState(null, "", next === "" ? location.pathname : `${location.pathname}?${next}`);
  }, []);
  return [filter, set];
}
