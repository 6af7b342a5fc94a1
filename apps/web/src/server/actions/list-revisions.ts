import { ListRevisionsResponseSchema, type ListRevisionsResponse } from "@binnacle/proto/dashboard";
import { timeField } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import { plannedObjectOf, withActionResource, type ActionQuestion, type ActionContext } from "./open-action.ts";
import { imagesOf } from "../action-plans/pod-template.ts";
import { revisionsOf } from "../action-plans/rollback.ts";

/**
 * Revisions of a workload that it can be rolled back to, read as the viewer; none for other kinds.
 *
 * @throws Fault as `withActionResource`; `environment_forbidden` when the viewer may not list them
 */
export async function listRevisions(context: ActionContext, question: ActionQuestion): Promise<ListRevisionsResponse> {
  return withActionResource(context, question, async (resource) => {
    const revisions = await revisionsOf(plannedObjectOf(resource));
    return create(ListRevisionsResponseSchema, {
      revisions: revisions.map(({ revision, template, created, changeCause, isPresent }) => {
        // The template stands where a Deployment has its own.
        const images = imagesOf({ resource: "deployments" }, { ...resource.object, spec: { template } }).map(({ image }) => image);
        return { revision, images, changeCause, isPresent, ...timeField("created", Date.parse(created)) };
      }),
    });
  });
}
