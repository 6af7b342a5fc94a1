import { fieldDifferences, KubeClientError } from "@binnacle/environment-view";
import { fieldsAt, listAt, listPath, namespacedKind, numberAt, textAt, type KubeObject } from "@binnacle/kube";
import {
  PreviewActionResponseSchema,
  type ActionFieldSchema,
  type PreviewActionRequest,
  type PreviewActionResponse,
} from "@binnacle/proto/dashboard";
import { ActionPodReplacement } from "@binnacle/proto/action-enums";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { words, type Words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { manifestOf } from "../delivery/manifest-of.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { toSentWords } from "../base/sent-words.ts";
import { effectsOf } from "../action-effects/action-effects.ts";
import { planAction, undoOf } from "../action-plans/action-catalogue.ts";
import type { PodReplacement } from "../action-plans/pod-replacement.ts";
import { entriesOf } from "../action-plans/label-plan.ts";
import { editPreview, isOutdated, outdatedPreview, problemOf, writtenBy } from "./edit/edit-preview.ts";
import {
  KINDS,
  levelRefusal,
  nameOf,
  needsName,
  parametersOf,
  plannedObjectOf,
  sendPlan,
  toEntry,
  toField,
  toParameters,
  withActionResource,
  type ActionResource,
  type ActionContext,
  isGone,
} from "./open-action.ts";
import { selectorNotes } from "./selector-notes.ts";
import type { ActingContext } from "../authors/act-as-viewer.ts";

/** What actions are previewed with: by a dry run. */
export interface PreviewContext extends ActionContext, ActingContext {}

const AUTOSCALERS = namespacedKind({
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  resource: "horizontalpodautoscalers",
});
/** More than any namespace has; what comes behind them is not looked at. */
const MAX_AUTOSCALERS = 500;

/**
 * What an action would do: the API server answers a dry run, so its admission, quotas and the viewer's rights have been applied.
 *
 * @throws Fault as `withActionResource`; `invalid_request` for an unknown action or parameters of another
 */
export async function previewAction(
  context: PreviewContext,
  {
    viewerAccess,
    request,
    signal,
  }: { readonly viewerAccess: ViewerAccess | undefined; readonly request: PreviewActionRequest; readonly signal: AbortSignal },
): Promise<PreviewActionResponse> {
  const name = nameOf(request.kind);
  const parameters = parametersOf(name, request.parameters);
  const { requestId } = request;
  const requestedAtMs = context.clock.now();
  const preview = async (resource: ActionResource): Promise<PreviewActionResponse> => {
    const about = { uid: resource.uid, requestedAt: toTimestamp(requestedAtMs), needsName: needsName(resource, name) };
    const planned = { name, parameters, requestedAtMs, requestId, planned: "" };
    const forbidden = levelRefusal(context, resource, name);
    const plan = forbidden ? { refused: forbidden } : await planAction(plannedObjectOf(resource), planned);
    if ("refused" in plan) return create(PreviewActionResponseSchema, { ...about, refused: toSentWords(plan.refused), ...problemOf(plan) });
    const present = name === "edit-labels" ? { entries: entriesOf(resource).map(toEntry) } : {};
    // Only what the object has is read.
    if (name === "edit-labels" && parameters.entries === undefined) return create(PreviewActionResponseSchema, { ...about, ...present });
    if (isOutdated(plan, parameters)) return create(PreviewActionResponseSchema, { ...about, ...outdatedPreview(plan) });
    const { field, undo = undoOf(name, parameters, field.before) } = plan;
    const [outcome, found, autoscaled, selectors, effects] = await Promise.all([
      sendPlan(context, resource, { plan, name, dryRun: true }),
      manifestOf(resource.object, { ...resource, gitops: context.gitops, clock: context.clock }),
      name === "scale" ? autoscalerNote(resource) : undefined,
      selectorNotes(resource, plan.labels ?? []),
      field.before === field.after ? [] : effectsOf(plannedObjectOf(resource), planned, plan),
    ]);
    const notes = [
      ...plan.notes,
      ...(autoscaled ? [autoscaled] : []),
      ...selectors,
      ...(found === undefined ? [] : [words("action/git-reverts", { file: found.place.path, project: found.project })]),
    ];
    return create(PreviewActionResponseSchema, {
      ...about,
      ...present,
      field: toField(field),
      notes: notes.map((note) => toSentWords(note)),
      effects: [...effects],
      ...(plan.replacement && { podReplacement: REPLACEMENTS[plan.replacement.when] }),
      ...(undo && { undo: KINDS[undo.name], undoParameters: toParameters(undo.parameters) }),
      ...changesOf(resource.object, plan.edit ? writtenBy(outcome) : plan.result),
      ...(plan.labels && { changes: plan.labels.map(toField) }),
      ...editPreview(plan, { outcome, resource }),
      ...(outcome.kind !== "done" && { refused: toSentWords(outcome.error.words) }),
      ...(found && { manifest: found.place }),
    });
  };
  try {
    return await withActionResource(context, { viewerAccess, target: request.target, signal, mayBeInventory: true }, preview);
  } catch (error) {
    // Without a uid: the cluster has no such object, which is not the same as an environment that is not found.
    if (isGone(error, name)) return create(PreviewActionResponseSchema, { refused: toSentWords(error.cause.words) });
    throw error;
  }
}

const REPLACEMENTS = {
  now: ActionPodReplacement.NOW,
  "on-resume": ActionPodReplacement.ON_RESUME,
  "on-delete": ActionPodReplacement.ON_DELETE,
} as const satisfies Record<PodReplacement["when"], number>;

/** Fields of the pod template that a rollback changes; values of variables are not among them. */
function changesOf(
  before: KubeObject,
  after: KubeObject | undefined,
): { readonly changes?: MessageInitShape<typeof ActionFieldSchema>[]; readonly moreChanges?: number } {
  if (after === undefined) return {};
  const digest = new Map<string, number>();
  const { fields, more } = fieldDifferences({ object: before, digest }, { object: after, digest });
  return {
    changes: fields.map(({ after: value = "", ...field }) => ({
      ...toField({ before: undefined, ...field, after: value }),
      hidden: field.hidden,
    })),
    moreChanges: more,
  };
}

/** Which HorizontalPodAutoscaler sets the replicas of a workload, or that this is not known; `undefined`: there is none. */
async function autoscalerNote({ access, kind, ref, signal }: ActionResource): Promise<Words | undefined> {
  try {
    const path = listPath(AUTOSCALERS, { namespace: ref.namespace, limit: MAX_AUTOSCALERS });
    const found = listAt(await access.client.json({ path }, signal), "items").find((item) => {
      const scaled = fieldsAt(fieldsAt(item, "spec"), "scaleTargetRef");
      return textAt(scaled, "kind") === kind.kind && textAt(scaled, "name") === ref.name;
    });
    if (found === undefined) return undefined;
    const spec = fieldsAt(found, "spec");
    const [least, most] = [numberAt(spec, "minReplicas") ?? 1, numberAt(spec, "maxReplicas") ?? 0];
    return words("action/autoscaled", { name: textAt(fieldsAt(found, "metadata"), "name"), least, most });
  } catch (error) {
    if (error instanceof KubeClientError) return words("action/autoscaler-unknown", { why: error.words });
    throw error;
  }
}
