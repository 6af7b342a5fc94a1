import type { WatchAgentResponse } from "@binnacle/proto/dashboard-agents";
import { sleep } from "@binnacle/rpc";
import { useEffect, useState } from "react";

import { browserClock } from "../live/browser-clock.ts";
import { retryDelayMs } from "../live/retry-delay.ts";
import { isPassing } from "../queries/request-error.ts";
import { agentsClient, type AgentNames } from "./agents-client.ts";

/** What a page knows of an agent's connections. */
export interface AgentConnections {
  /** Absent: nothing yet. */
  readonly status?: WatchAgentResponse;
  /** When the last message came; 0: none. */
  readonly lastMessageMs: number;
  /** Since when there is no stream. */
  readonly lostSinceMs?: number;
  /** Why no other attempt is made: the agent is gone, or the session is over. */
  readonly ended?: unknown;
}

const NOTHING: AgentConnections = { lastMessageMs: 0 };

/** Follows the connections of an agent while the page is visible: browsers have few connections to one server over HTTP/1.1. */
export function useAgentConnections({ projectPath, name }: AgentNames): AgentConnections {
  const [known, setKnown] = useState(NOTHING);
  useEffect(() => {
    let leaving: AbortController | undefined;
    const follow = (): void => {
      if (document.visibilityState === "hidden") {
        leaving?.abort();
        leaving = undefined;
      } else if (leaving === undefined) {
        leaving = new AbortController();
        void run({ projectPath, name }, leaving.signal, setKnown);
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      leaving?.abort();
    };
  }, [projectPath, name]);
  return known;
}

async function run(
  names: AgentNames,
  signal: AbortSignal,
  set: (change: (known: AgentConnections) => AgentConnections) => void,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      for await (const status of agentsClient().watchAgent(names, { signal })) {
        attempt = 0;
        set(() => ({ status, lastMessageMs: Date.now() }));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) return set((known) => ({ ...known, ended: error }));
    }
    if (signal.aborted) return;
    set((known) => ({ ...known, lostSinceMs: known.lostSinceMs ?? Date.now() }));
    await sleep(browserClock, retryDelayMs(attempt, Math.random()), signal);
  }
}
