import { KubeClientError, type ActionOutcome as WriteOutcome, type Actor } from "@binnacle/environment-view";
import { ActionOutcome, ActResponseSchema, type ActRequest, type ActResponse } from "@binnacle/proto/dashboard";
import { timeOf } from "@binnacle/proto/wire-values";
import { Fault } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { recordEvent } from "../audit/audit-sink.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { actorOf, type ActingContext } from "../authors/act-as-viewer.ts";
import { toSentWords } from "../base/sent-words.ts";
import { planAction, rightOf, undoOf } from "../action-plans/action-catalogue.ts";
import type { ActionName, ActionPlan, PlannedRequest } from "../action-plans/action-plan.ts";
import type { ResultsContext } from "./action-results.ts";
import {
  KINDS,
  levelRefusal,
  nameOf,
  needsName,
  parametersOf,
  plannedObjectOf,
  openAction,
  readAction,
  sendPlan,
  toField,
  toParameters,
  type ActionResource,
  type ActionContext,
  isGone,
  isRemoval,
} from "./open-action.ts";

/** What actions are run with. */
export interface RunActionContext extends ActionContext, ActingContext, ResultsContext {}

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;
/** A dialog that has been open for longer shows its action again. */
const MAX_AGE_MS = 60 * 60 * 1000;
const MAX_AHEAD_MS = 60 * 1000;
/** Of a patch whose precondition the API server has refused, while only the version of the object was another. */
const MAX_ATTEMPTS = 3;

type Answer = MessageInitShape<typeof ActResponseSchema>;

/**
 * Performs an action once, as the viewer, whose right the cluster judges; a repeated request has the result of the first (`ActionResults`). The
 * object is read first: a request that was performed already is done, and a field that has neither the expected value nor the new one is left alone. The patch has the value that was read as its precondition, so a
 * change between reading and writing is a conflict, too.
 *
 * @throws Fault as `withActionResource`; `invalid_request` for an unknown action, another action's parameters, a time or request id out of range, another request's id
 */
export async function runAction(
  context: RunActionContext,
  {
    viewerAccess,
    request,
    signal,
  }: { readonly viewerAccess: ViewerAccess | undefined; readonly request: ActRequest; readonly signal: AbortSignal },
): Promise<ActResponse> {
  const name = nameOf(request.kind);
  const parameters = parametersOf(name, request.parameters);
  if (!REQUEST_ID.test(request.requestId)) throw new Fault("invalid_request", "the request id must be 8 to 64 letters, digits, - and _");
  const { requestId, expected } = request;
  const planned = { name, parameters, requestedAtMs: requestTimeOf(request, context.clock.now()), requestId, planned: request.planned };
  const perform = async (resource: ActionResource): Promise<Answer> => {
    const sent = { isSent: false };
    const answer = await decide(resource, sent);
    if (!sent.isSent) await recordUnsent(context, resource, { name, requestId, answer });
    return answer;
  };
  const decide = async (resource: ActionResource, sent: { isSent: boolean }): Promise<Answer> => {
    if (resource.uid !== request.uid) return isRemoval(name) ? { outcome: ActionOutcome.DONE } : refused(words("action/replaced"));
    const forbidden = levelRefusal(context, resource, name);
    if (forbidden) return refused(forbidden);
    if (needsName(resource, name) && request.typedName !== resource.ref.name) return refused(words("action/name-not-typed"));
    const first = await planAction(plannedObjectOf(resource), planned);
    if ("refused" in first) return refused(first.refused);
    const done = ({ field, undo = undoOf(name, parameters, expected) }: Pick<ActionPlan, "field" | "undo">): Answer => ({
      outcome: ActionOutcome.DONE,
      field: toField({ ...field, before: expected }),
      ...(undo && { undo: KINDS[undo.name], undoParameters: toParameters(undo.parameters) }),
    });
    let plan = first;
    for (let attempt = 1; ; attempt += 1) {
      const { field } = plan;
      if (field.before === field.after) return done({ field, ...(plan.edit && plan.undo && { undo: plan.undo }) });
      if (field.before !== expected) return conflict(plan, expected);
      sent.isSent = true;
      const outcome = await sendPlan(context, resource, { plan, name, requestId, dryRun: false });
      if (outcome.kind === "done") return done(plan);
      const why = outcome.error.words;
      if (outcome.kind === "unknown") return { outcome: ActionOutcome.UNKNOWN, words: toSentWords(why), field: toField(field) };
      const present = isPrecondition(outcome) ? await planNow(resource, planned) : undefined;
      if (present === undefined) return refused(why);
      const isSameVersion = present.target.resourceVersion === plan.target.resourceVersion;
      // What changed meanwhile is not what the action is about, such as a status, and the API server has done nothing.
      if (present.field.before === expected && (isSameVersion || attempt === MAX_ATTEMPTS)) return refused(why);
      plan = present;
    }
  };
  const opened = await openAction(context, { viewerAccess, target: request.target, signal, mayBeInventory: true });
  return context.actionResults.once({ viewer: opened.opened.viewer.username, request }, async () => {
    try {
      return create(ActResponseSchema, await readAction(context, opened, perform));
    } catch (error) {
      // The same request may come again after its object has gone.
      if (isGone(error, name)) return create(ActResponseSchema, { outcome: ActionOutcome.DONE });
      throw error;
    }
  });
}

/** Outcomes of what was not sent: others than those of a request. */
const OUTCOMES: Readonly<Record<ActionOutcome, string>> = {
  [ActionOutcome.UNSPECIFIED]: "unknown",
  [ActionOutcome.DONE]: "done_before",
  [ActionOutcome.REFUSED]: "rejected",
  [ActionOutcome.CONFLICT]: "conflict",
  [ActionOutcome.UNKNOWN]: "unknown",
};

/** An action that was answered without a request to the cluster: refused, in conflict, or done before. */
async function recordUnsent(
  context: RunActionContext,
  resource: ActionResource,
  { name, requestId, answer }: { readonly name: ActionName; readonly requestId: string; readonly answer: Answer },
): Promise<void> {
  const { kind, ref, environment, access, signal } = resource;
  const { verb, group, resource: plural, subresource } = rightOf(kind, name);
  const action = {
    verb,
    apiGroup: group,
    resource: plural,
    namespace: ref.namespace,
    name: ref.name,
    ...(subresource !== "" && { subresource }),
  };
  const cluster = environment.agent.name;
  const purpose = { action: name, project_path: environment.projectPath, environment: environment.name, cluster };
  const actor = await actorNow(context, resource, signal);
  const outcome = OUTCOMES[answer.outcome ?? ActionOutcome.UNSPECIFIED] ?? "unknown";
  recordEvent(context, { actor, agentId: access.agentId }, { event: "complete", requestId, action, purpose, dryRun: false, outcome });
}

/** The answer stands, whether or not the cluster tells whom it takes the viewer for. */
async function actorNow(context: RunActionContext, resource: ActionResource, signal: AbortSignal): Promise<Actor> {
  try {
    return await actorOf(context, resource, signal);
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    return { viewer: resource.viewer.username, clusterUser: "", cluster: resource.environment.agent.name };
  }
}

/** @throws Fault `invalid_request` */
function requestTimeOf({ requestedAt }: ActRequest, nowMs: number): number {
  const atMs = requestedAt === undefined ? Number.NaN : (timeOf(requestedAt) ?? Number.NaN);
  if (!(atMs <= nowMs + MAX_AHEAD_MS && atMs >= nowMs - MAX_AGE_MS))
    throw new Fault("invalid_request", "the time of the request must be within the last hour: preview the action again");
  return atMs;
}

function refused(why: Words): Answer {
  return { outcome: ActionOutcome.REFUSED, words: toSentWords(why) };
}

function conflict({ field, edit }: Pick<ActionPlan, "field" | "edit">, expected: string | undefined): Answer {
  const notSet = words("action/not-set");
  const values = { path: field.path, present: field.before ?? notSet, expected: expected ?? notSet };
  const why = edit === undefined ? words("action/changed", values) : words("edit/changed");
  return { outcome: ActionOutcome.CONFLICT, words: toSentWords(why), field: toField(field) };
}

/** A failed precondition is 409, of a JSON patch 422 (Kubernetes API conventions, "HTTP status codes"). */
function isPrecondition(outcome: Extract<WriteOutcome, { kind: "refused" }>): boolean {
  const { status } = outcome.error;
  return outcome.stage === "answered" && (status?.code === 409 || status?.code === 422);
}

/** The plan for the object as it is now; `undefined` when it cannot be read, or the object was replaced. */
async function planNow(resource: ActionResource, request: PlannedRequest): Promise<ActionPlan | undefined> {
  const { access, kind, ref, uid, signal } = resource;
  try {
    const object = await access.client.get({ kind, namespace: ref.namespace, name: ref.name }, signal);
    const plan = object.metadata.uid === uid ? await planAction({ ...plannedObjectOf(resource), object }, request) : undefined;
    return plan === undefined || "refused" in plan ? undefined : plan;
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    return undefined;
  }
}
