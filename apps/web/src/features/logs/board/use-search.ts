"use client";
import { useEffect, useMemo, useState } from "react";
import type { LogsState } from "../../address/logs-state.ts";
import { LogSearch, NOTHING_FOUND, openLogSearch, type FoundLines } from "../search/log-search.ts";
import type { LogSnapshot } from "../store/log-store.ts";
import { Expressions, type SearchThread, type ThreadEvents } from "@binnacle/pod-logs/expressions";
import { browserClock } from "../../live/browser-clock.ts";

let opened: Expressions | undefined;

/** A search through the lines that are shown. */
export interface ShownSearch {
  /** Absent while nothing is searched. */
  readonly search: LogSearch | undefined;
  readonly found: FoundLines;
  /** Why the expression cannot be used; empty if it can. */
  readonly problem: string;
}

/** Searches the lines, also those that come, a little at a time. */
export function useSearch({ rows, version }: LogSnapshot, { find, isExpression, matchesCase }: LogsState): ShownSearch {
  const opened = useMemo(
    () => (find === "" ? undefined : openLogSearch({ pattern: find, isRegularExpression: isExpression, matchesCase }, pageExpressions())),
    [find, isExpression, matchesCase],
  );
  const search = opened instanceof LogSearch ? opened : undefined;
  const [latest, setLatest] = useState<{ readonly search: LogSearch; readonly found: FoundLines }>();
  useEffect(() => () => search?.cancel(), [search]);
  useEffect(() => {
    if (search === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const turn = (): void => {
      if (isOver) return;
      const { later, ...found } = search.advance(rows);
      setLatest((before) => (before?.search === search && isSame(before.found, found) ? before : { search, found }));
      if (later !== undefined) void later.then(turn);
      else if (!found.isDone) timer = setTimeout(turn, 0);
    };
    turn();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the rows are changed in place: with another version there are others
  }, [search, rows, version]);
  const found = search !== undefined && latest?.search === search ? latest.found : NOTHING_FOUND;
  const problem = opened instanceof LogSearch || opened === undefined ? found.problem : opened.problem;
  return { search: problem === "" ? search : undefined, found, problem };
}

function isSame(one: FoundLines, other: FoundLines): boolean {
  return one.total === other.total && one.isDone === other.isDone && one.problem === other.problem;
}

/** The expressions of this page, in a worker that starts with the first of them and ends when none is used. */
function pageExpressions(): Expressions {
  opened ??= new Expressions({ clock: browserClock, startThread: (events) => threadOf(openWorker(), events) });
  return opened;
}

function openWorker(): Worker {
  return new Worker(new URL("../search/search.worker.ts", import.meta.url), { type: "module" });
}

/** A worker as a thread. It is written by this build and answers with its types. */
export function threadOf(
  worker: Pick<Worker, "addEventListener" | "postMessage" | "terminate">,
  { answered, died }: ThreadEvents,
): SearchThread {
  worker.addEventListener("error", died);
  worker.addEventListener("messageerror", died);
  worker.addEventListener("message", (event: MessageEvent<Parameters<typeof answered>[0]>) => answered(event.data));
  return {
    send: (request, moved) => worker.postMessage(request, moved),
    end: () => worker.terminate(),
  };
}
