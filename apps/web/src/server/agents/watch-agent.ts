import { create } from "@bufbuild/protobuf";
import { KubeClientError } from "@binnacle/environment-view";
import {
  AgentConnectionSchema,
  AgentReplicaSchema,
  AgentStatusSource,
  WatchAgentResponseSchema,
  type WatchAgentRequest,
  type WatchAgentResponse,
} from "@binnacle/proto/dashboard-agents";
import type { AgentStatus } from "@binnacle/proto/kas-agents";
import { toWordsMessage } from "@binnacle/proto/words";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { Fault, sleep } from "@binnacle/rpc";
import type { Words } from "@binnacle/words";

import { wordsOfFault } from "../base/message-fault.ts";
import { lineOf } from "../main-application/foreign-text.ts";
import type { ProjectAgent } from "../main-application/agents.ts";
import { accessOf, doorOf, openAgentKas, type AgentCall, type AgentsContext } from "./agents-context.ts";
import { queryStatus, type StatusResponse } from "./query-status.ts";

/** kas waits this long; then the viewer's right is checked again. */
const WAIT_SECONDS = 25;
/** Between two answers: an agent may connect again and again. */
const PACE_MS = 500;
/** How often the main application is queried where kas does not answer this viewer, for as long as a first connection is likely, and later. */
const POLL_MS = 1_500;
const POLL_LATER_MS = 15_000;
const SOON_MS = 10 * 60_000;
/** Then kas is queried again, since its answer may have changed. */
const ASK_KAS_AGAIN_MS = 15_000;
const RETRY_MS = 5_000;

/**
 * Connections of an agent, as they change. The main application must show the agent to the viewer in every round of at most 25 s. Where kas
 * does not tell this viewer, the main application is polled for when processes connected.
 *
 * @throws Fault `session_ended`, `not_found`; `main_application_unavailable` at the beginning only
 */
export async function* watchAgent(context: AgentsContext, call: AgentCall<WatchAgentRequest>): AsyncIterable<WatchAgentResponse> {
  const { clock } = context;
  const { signal, request } = call;
  const viewerAccess = accessOf(call);
  const names = { projectPath: request.projectPath, name: request.name };
  const { projectPath, agent: first } = await viewerAccess.agent(names, signal);
  const door = await doorOf(viewerAccess, projectPath, signal);
  const kas = openAgentKas(context, viewerAccess, { projectPath, door, agentId: first.id });
  const beganMs = clock.now();
  let etag: string | undefined;
  let kasAgainMs = 0;
  let last: WatchAgentResponse | undefined;
  while (!signal.aborted) {
    let waitMs = PACE_MS;
    try {
      const { agent, viewer } = await viewerAccess.agent(names, signal);
      let answer: StatusResponse | undefined;
      if (agent.id === first.id && clock.now() >= kasAgainMs) {
        const assertion = await context.agents.readers?.headers({ agentId: agent.id, username: viewer.username });
        const route = { kas: assertion ? kas.kasSaying(assertion) : kas.kas, reading: kas.reading };
        answer = await queryStatus(route, { etag, waitSeconds: WAIT_SECONDS }, signal);
      }
      if (answer?.kind === "status") {
        etag = answer.etag;
        last = ofKas(answer.status);
        if (etag === undefined) waitMs = POLL_LATER_MS;
      } else if (answer?.kind !== "unchanged") {
        etag = undefined;
        if (answer !== undefined) kasAgainMs = clock.now() + ASK_KAS_AGAIN_MS;
        last = ofMainApplication(agent);
        waitMs = clock.now() - beganMs < SOON_MS ? POLL_MS : POLL_LATER_MS;
      }
      if (last === undefined) continue;
      last = { ...last, asOf: toTimestamp(clock.now()) };
      delete last.problem;
    } catch (error) {
      if (signal.aborted) return;
      last = withProblem(last, wordsOf(error));
      etag = undefined;
      waitMs = RETRY_MS;
    }
    // Also when nothing has changed: a page knows by it that what it shows is true.
    yield last;
    await sleep(clock, waitMs, signal);
  }
}

/** @throws what is no passing failure */
function wordsOf(error: unknown): Words {
  if (error instanceof KubeClientError) return error.words;
  if (error instanceof Fault && error.reason === "main_application_unavailable") return wordsOfFault(error);
  throw error;
}

function withProblem(last: WatchAgentResponse | undefined, words: Words): WatchAgentResponse {
  return { ...(last ?? create(WatchAgentResponseSchema)), problem: toWordsMessage(words) };
}

function ofMainApplication({ connectedAtMs = [] }: ProjectAgent): WatchAgentResponse {
  return create(WatchAgentResponseSchema, {
    source: AgentStatusSource.MAIN_APPLICATION,
    replicas: connectedAtMs.map((ms) => create(AgentReplicaSchema, { connectedAt: toTimestamp(ms) })),
  });
}

const MAX_REPLICAS = 100;
const MAX_HISTORY = 200;

/** What agents say of themselves becomes short lines. */
function ofKas({ replicas, history, historySince, configurationProblem, kasVersion }: AgentStatus): WatchAgentResponse {
  const reason = lineOf(configurationProblem?.reason);
  return create(WatchAgentResponseSchema, {
    source: AgentStatusSource.KAS,
    replicas: replicas.slice(0, MAX_REPLICAS).map((replica) =>
      create(AgentReplicaSchema, {
        ...textsOf(replica),
        connectionId: replica.connectionId,
        kubernetesVersion: lineOf(replica.kubernetesVersion),
        ...(replica.connectedAt && { connectedAt: replica.connectedAt }),
        ...(replica.latency && { latency: replica.latency }),
        abilities: replica.abilities.slice(0, 20).map(lineOf),
        configurationCommit: commitOf(replica.configurationCommit),
      }),
    ),
    history: history.slice(0, MAX_HISTORY).map((connection) =>
      create(AgentConnectionSchema, {
        ...textsOf(connection),
        connectionId: connection.connectionId,
        ...(connection.connectedAt && { connectedAt: connection.connectedAt }),
        ...(connection.disconnectedAt && { disconnectedAt: connection.disconnectedAt }),
      }),
    ),
    ...(historySince && { historySince }),
    configurationProblem: reason,
    configurationLine: lineOfReason(configurationProblem?.reason ?? ""),
    lastGoodCommit: commitOf(configurationProblem?.lastGoodCommit ?? ""),
    kasVersion: lineOf(kasVersion),
  });
}

function textsOf(of: { readonly podNamespace: string; readonly podName: string; readonly version: string; readonly kas: string }) {
  return { podNamespace: lineOf(of.podNamespace), podName: lineOf(of.podName), version: lineOf(of.version), kas: lineOf(of.kas) };
}

function commitOf(text: string): string {
  return /^[0-9a-f]{7,64}$/.test(text) ? text : "";
}

/** The line that kas' reason names: `…config.yaml:3:1: …`, or `… at line 3, column 1`; 0: none. */
export function lineOfReason(reason: string): number {
  const found = /\.ya?ml:(\d{1,6})\b/.exec(reason)?.[1] ?? /\bline (\d{1,6})\b/.exec(reason)?.[1];
  return found === undefined ? 0 : Number(found);
}
