import { PreviewActionResponseSchema, type PreviewActionRequest, type PreviewActionResponse } from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import type { BffContext } from "../bff-context.ts";
import { manifestOf } from "../delivery/manifest-of.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";
import { toSentWords } from "../wire/sent-words.ts";
import { planAction } from "./action-plan.ts";
import { nameOf, parametersOf, sendPlan, toField, withActionResource } from "./open-action.ts";

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
    const [outcome, found] = await Promise.all([
      sendPlan(context, resource, { plan, name, dryRun: true }),
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
      ...(outcome.kind !== "done" && { refused: toSentWords(outcome.error.words) }),
      ...(found && { manifest: found.place }),
    });
  });
}
