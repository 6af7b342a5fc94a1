import { act } from "@binnacle/environment-view";
import { PreviewActionResponseSchema, type PreviewActionRequest, type PreviewActionResponse } from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import type { BffContext } from "../bff-context.ts";
import { manifestOf } from "../delivery/manifest-of.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";
import { actorOf } from "../upstream/actor-of.ts";
import { toSentWords } from "../wire/sent-words.ts";
import { planAction, type ActionPlan } from "./action-plan.ts";
import { nameOf, parametersOf, toField, withActionResource, type ActionResource } from "./open-action.ts";

/**
 * What an action would do: the API server answers a dry run, so its admission, quotas and the viewer's rights have been applied.
 *
 * @throws Fault as `withActionResource`; `invalid_request` for an unknown action or parameters of another
 */
export async function previewAction(
  context: BffContext,
  {
    viewerAccess,
    request,
    signal,
  }: { readonly viewerAccess: ViewerAccess | undefined; readonly request: PreviewActionRequest; readonly signal: AbortSignal },
): Promise<PreviewActionResponse> {
  const name = nameOf(request.kind);
  const parameters = parametersOf(name, request.parameters);
  const requestedAtMs = context.clock.now();
  return withActionResource(context, { viewerAccess, target: request.target, signal }, async (resource) => {
    const about = { uid: resource.uid, requestedAt: toTimestamp(requestedAtMs) };
    const plan = planAction(resource.kind, resource.object, { name, parameters, requestedAtMs });
    if ("refused" in plan) return create(PreviewActionResponseSchema, { ...about, refused: toSentWords(plan.refused) });
    const purpose = { action: name, project_path: resource.environment.projectPath, environment: resource.environment.name };
    const [why, found] = await Promise.all([
      dryRun(context, { resource, plan, purpose }, signal),
      manifestOf(resource.object, { ...resource, gitops: context.gitops, clock: context.clock }),
    ]);
    const notes = [
      ...(plan.replacesPods ? [words("action/replaces-pods")] : []),
      ...(found === undefined ? [] : [words("action/git-reverts", { file: found.place.path, project: found.project })]),
    ];
    return create(PreviewActionResponseSchema, {
      ...about,
      field: toField(plan.field),
      notes: notes.map((note) => toSentWords(note)),
      ...(why && { refused: toSentWords(why) }),
      ...(found && { manifest: found.place }),
    });
  });
}

/** Why the API server would not perform it, or why that is not known. */
async function dryRun(
  context: BffContext,
  {
    resource,
    plan,
    purpose,
  }: { readonly resource: ActionResource; readonly plan: ActionPlan; readonly purpose: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<Words | undefined> {
  const { target, change } = plan;
  const actor = await actorOf(context, resource, signal);
  const { log, reading, clock } = context;
  const outcome = await act(
    { target, change, dryRun: true },
    { transport: resource.access.client.transport, actor, log, purpose, reading, clock },
    signal,
  );
  return outcome.kind === "done" ? undefined : outcome.error.words;
}
