import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { Gitops } from "@binnacle/proto/gitops";
import { createKasSecrets, startKasProcess, startMainApplicationStandIn } from "@binnacle/testing";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { HEAD_COMMIT, startGitalyStandIn } from "./gitaly-stand-in.ts";
import { printTable } from "./statistics.ts";

/** Agents that wait, and the repositories they are deployed from. */
const CASES: readonly (readonly [agents: number, repositories: number])[] = [
  [1_000, 200],
  [200, 200],
  [1_000, 20],
];
/** kas' default, and a window of three. */
const POLL_S = 20;
const WINDOW_S = 3 * POLL_S;
const HOUR_S = 3_600;
/** Agents that come at once; they are admitted at the rate of queries to the main application. */
const AT_ONCE = 50;

/** What agents cost Gitaly that have the newest commit and wait for another: counted over three poll periods. */
export async function benchIdleRepositories(): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const [agents, repositories] of CASES) {
    const calls = await callsInWindow(agents, repositories);
    rows.push({
      agents,
      repositories,
      [`calls in ${WINDOW_S} s`]: calls,
      "calls/hour": (calls * HOUR_S) / WINDOW_S,
      "if each agent polled, calls/hour": (agents * HOUR_S) / POLL_S,
      "per repository and period": (calls * POLL_S) / WINDOW_S / repositories,
    });
  }
  printTable(`Gitaly calls for idle agents (one kas, poll_period ${POLL_S}s)`, rows);
}

async function callsInWindow(agents: number, repositories: number): Promise<number> {
  const gitaly = await startGitalyStandIn();
  const application = await startMainApplicationStandIn({ gitaly: gitaly.address, projects: repositories });
  const secrets = createKasSecrets();
  const configuration = {
    agent: { gitops: { poll_period: `${POLL_S}s` } },
    gitlab: { api_rate_limit: { refill_rate_per_second: 1_000, bucket_size: 1_000 } },
  };
  const kas = await startKasProcess({ mainApplication: application.address, secrets, configuration });
  const leave = new AbortController();
  const ends: Promise<void>[] = [];
  try {
    const client = createClient(Gitops, createGrpcTransport({ baseUrl: `http://${kas.addresses.agent}` }));
    for (let agent = 1; agent <= agents; agent += 1) {
      const id = ((agent - 1) % repositories) + 1;
      const request = { projectId: String(id), commitId: HEAD_COMMIT, paths: [{ glob: "**/*.yaml" }] };
      const stream = client.getObjectsToSynchronize(request, {
        headers: { authorization: `Bearer glagent-${agent}` },
        signal: leave.signal,
      });
      ends.push(waitIdly(stream, leave.signal));
      if (agent % AT_ONCE === 0) await sleep(500);
    }
    const areAllIdle = async (): Promise<boolean> =>
      gitaly.repositories() === repositories && (await kas.metrics()).get("kas_gitops_streams_open") === agents;
    // A rejected agent ends at once, and that is an error.
    await Promise.race([Promise.all(ends), until(areAllIdle)]);
    const before = gitaly.calls();
    await Promise.race([sleep(WINDOW_S * 1_000), Promise.all(ends)]);
    return gitaly.calls() - before;
  } finally {
    leave.abort();
    await Promise.allSettled(ends);
    await kas.stop();
    await application.close();
    await gitaly.close();
    rmSync(secrets.directory, { recursive: true });
  }
}

/** Settles when the agent has left. @throws when kas ends the stream, or has something to send */
async function waitIdly(stream: AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
  try {
    for await (const message of stream) throw new Error(`kas sent ${JSON.stringify(message)}`);
  } catch (error) {
    if (!signal.aborted) throw error;
    return;
  }
  throw new Error("kas has ended the stream");
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(200);
}
