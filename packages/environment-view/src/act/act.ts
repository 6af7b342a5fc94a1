import { isFields, parseJson } from "@binnacle/kube";
import { systemClock, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { ByteBudget } from "../limits/byte-budget.ts";
import type { KubeResponse, KubeTransport } from "../http/kube-transport.ts";
import { readText } from "../http/read-body.ts";
import { sendRequest } from "../http/send-request.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { outcomeOfFailure, warningsOf, type ActionAnswer, type ActionOutcome } from "./action-outcome.ts";
import { ActionRecord, type ActionLog, type Actor } from "./action-record.ts";
import { requestOfAction, type ActionRequest, type KubeAction } from "./kube-action.ts";

/** etcd refuses objects beyond 1.5 MiB by default. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What an action works with. */
export interface ActContext {
  readonly transport: KubeTransport;
  readonly actor: Actor;
  readonly log: ActionLog;
  /** What it is for, in words of the caller: names, never a content. They stand in both lines of the log. */
  readonly purpose?: Readonly<Record<string, string>>;
  /** Shared by all callers whose responses are read in this process; default: 16 MiB of its own. */
  readonly reading?: ByteBudget;
  readonly clock?: Clock;
}

/**
 * Changes one object of a cluster: every write of ours goes through here. It is sent once and never again, and written down before
 * and after (who, what, on which object, with which answer).
 *
 * @param signal gives it up; what was handed over already stays `unknown`
 * @returns what became of it; it rejects for bugs only
 */
export async function act(action: KubeAction, context: ActContext, signal: AbortSignal): Promise<ActionOutcome> {
  const { actor, log, purpose, clock = systemClock } = context;
  const request = requestOrRefusal(action);
  const body = request instanceof KubeClientError ? undefined : request.body;
  const record = new ActionRecord(log, { actor, action, purpose, body });
  const startedMs = clock.now();
  let outcome: ActionOutcome | undefined;
  record.begun();
  try {
    outcome = request instanceof KubeClientError ? outcomeOfFailure(request) : await perform(request, context, signal);
    return outcome;
  } finally {
    record.ended(outcome, clock.now() - startedMs);
  }
}

function requestOrRefusal(action: KubeAction): ActionRequest | KubeClientError {
  try {
    return requestOfAction(action);
  } catch (error) {
    if (error instanceof KubeClientError) return error;
    throw error;
  }
}

async function perform(request: ActionRequest, context: ActContext, signal: AbortSignal): Promise<ActionOutcome> {
  const { transport, reading = new ByteBudget(2 * MAX_ANSWER_BYTES), clock = systemClock } = context;
  try {
    const response = await sendRequest({ transport, budget: reading, clock }, request, signal);
    const answer = await answerOf(response, { budget: reading, clock });
    return { kind: "done", stage: "answered", code: response.status, answer, warnings: warningsOf(response.header("warning")) };
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    return outcomeOfFailure(error);
  }
}

/** @throws KubeClientError answered, when what came is not what an API server says of a change */
async function answerOf(response: KubeResponse, limits: { readonly budget: ByteBudget; readonly clock: Clock }): Promise<ActionAnswer> {
  let text: string;
  try {
    text = await readText(response, { ...limits, mostBytes: MAX_ANSWER_BYTES });
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    throw new KubeClientError(error.failure, error.words, { cause: error, stage: "answered" });
  }
  const answer = parseJson(text);
  if (response.status < 300 && isAnswer(answer)) return answer;
  throw new KubeClientError("connection", words("answer/not-of-api"), { stage: "answered" });
}

function isAnswer(value: unknown): value is ActionAnswer {
  if (!isFields(value) || typeof value["apiVersion"] !== "string") return false;
  return value["kind"] === "Status" ? value["status"] === "Success" : typeof value["kind"] === "string";
}
