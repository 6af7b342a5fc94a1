"use client";
import { Overview } from "@binnacle/proto/dashboard-overview";
import { Code, ConnectError, createClient, type Client } from "@connectrpc/connect";
import { useEffect, useState } from "react";
import { millisOf } from "../../ui/format-time.ts";
import { serverTime } from "../../ui/server-time.ts";
import { retryDelayMs } from "../live/retry-delay.ts";
import { createRpcTransport } from "../live/rpc-transport.ts";
import { sessionEndedProblem } from "../live/session-ended-problem.ts";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import { applyOverview, START, type OverviewState } from "./overview-state.ts";

/** A page that is not looked at ends its stream after this time, so that a browser has one for all its tabs. */
const HIDDEN_MS = 30_000;

let client: Client<typeof Overview> | undefined;

/** The one client of this page. */
export function overviewClient(): Client<typeof Overview> {
  client ??= createClient(Overview, createRpcTransport());
  return client;
}

/** Follows the overview of a group while mounted and looked at. @param group empty: all projects */
export function useOverview(group: string): OverviewState {
  const [state, setState] = useState(START);
  useEffect(() => {
    const stop = new AbortController();
    void follow(group, setState, stop.signal);
    return () => stop.abort();
  }, [group]);
  return state;
}

async function follow(
  group: string,
  setState: (change: (before: OverviewState) => OverviewState) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 0; !signal.aborted;) {
    await untilVisible(signal);
    const looked = whileLookedAt(signal);
    let isFirst = true;
    try {
      for await (const message of overviewClient().watchOverview({ group }, { signal: looked.signal })) {
        const nowMs = serverTime.heard(message.sentAt && millisOf(message.sentAt), Date.now());
        const first = isFirst;
        isFirst = false;
        attempt = 0;
        setState((before) => applyOverview(before, message, { nowMs, first }));
        if (message.problem !== undefined && message.problem.kind !== ProblemKind.UNAVAILABLE) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (ConnectError.from(error).code === Code.Unauthenticated) {
        setState((before) => ({ ...before, problem: sessionEndedProblem() }));
        return;
      }
    } finally {
      looked.end();
    }
    if (signal.aborted || looked.signal.aborted) continue;
    setState((before) => ({ ...before, lost: true }));
    await delay(retryDelayMs(attempt, Math.random()), signal);
    attempt += 1;
  }
}

/** Aborts when the page was hidden for a while. */
function whileLookedAt(signal: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const hidden = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") timer = setTimeout(() => hidden.abort(), HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", listen);
  const end = (): void => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", listen);
  };
  return { signal: AbortSignal.any([signal, hidden.signal]), end };
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState !== "hidden" || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      if (document.visibilityState === "hidden" && !signal.aborted) return;
      document.removeEventListener("visibilitychange", done);
      resolve();
    };
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done, { once: true });
  });
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
