"use client";
import { useEffect, useState } from "react";
import { millisOf } from "../../ui/format-time.ts";
import { loadLanguage } from "../../ui/messages.ts";
import { serverTime } from "../../ui/server-time.ts";
import { browserClock } from "../live/browser-clock.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import type { ProjectSummaries } from "./project-order.ts";

/** The number of projects per request: the server's maximum. */
export const PROJECTS_AT_A_TIME = 50;
/** What was read once is read again after so long while the page is visible. */
const AGAIN_MS = 60_000;
/** The retry delay after a failed request. */
const RETRY_MS = 10_000;

/** What is known of projects. */
interface KnownProjects {
  readonly summaries: ProjectSummaries;
  /** Every project was read once. */
  readonly isSettled: boolean;
}

/** Reads summaries of projects while mounted, fifty at a time, one request after the other, and again each minute. @param paths full paths */
export function useProjectSummaries(paths: readonly string[]): KnownProjects {
  const [known, setKnown] = useState<KnownProjects>({ summaries: new Map(), isSettled: false });
  const key = paths.join("\n");
  useEffect(() => {
    const wanted = key === "" ? [] : key.split("\n");
    const over = new AbortController();
    const take = (change: ProjectSummaries): void =>
      setKnown(({ summaries, isSettled }) => ({ summaries: new Map([...summaries, ...change]), isSettled }));
    /** @returns after how many milliseconds they are to be read again */
    const read = async (): Promise<number> => {
      // A hidden tab sends no requests.
      if (document.visibilityState === "hidden") return RETRY_MS;
      try {
        for (let from = 0; from < wanted.length; from += PROJECTS_AT_A_TIME)
          await readSome(wanted.slice(from, from + PROJECTS_AT_A_TIME), over.signal, take);
      } catch {
        // What is known stays, as of its time.
        return RETRY_MS;
      }
      setKnown(({ summaries }) => ({ summaries, isSettled: true }));
      return AGAIN_MS;
    };
    const follow = async (): Promise<void> => {
      while (!over.signal.aborted) await pause(await read(), over.signal);
    };
    void follow();
    return () => over.abort();
  }, [key]);
  return known;
}

async function readSome(fullPaths: string[], signal: AbortSignal, take: (change: ProjectSummaries) => void): Promise<void> {
  const [dashboard] = await Promise.all([loadDashboard(), loadLanguage()]);
  for await (const { projects, sentAt } of dashboard.summarizeProjects({ fullPaths }, { signal })) {
    serverTime.heard(sentAt && millisOf(sentAt), Date.now());
    take(new Map(projects.map((project) => [project.fullPath, project])));
  }
}

/** Settles after so many milliseconds, or when the page is left. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = browserClock.after(ms, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}
