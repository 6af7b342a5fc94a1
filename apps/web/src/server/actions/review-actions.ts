import { KubeClientError } from "@binnacle/environment-view";
import { ActionRight, ReviewActionsResponseSchema, type OfferedActionSchema, type ReviewActionsResponse } from "@binnacle/proto/dashboard";
import { timeField } from "@binnacle/proto/wire-values";
import { words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { stringify } from "yaml";

import type { BffContext } from "../bff-context.ts";
import { levelOf } from "../config/features.ts";
import { reviewAccess, type AccessReview } from "../upstream/access-review.ts";
import { toSentWords } from "../wire/sent-words.ts";
import { actionsOf, rightOf } from "./action-catalogue.ts";
import { toolActionsOf } from "./tools/tool-catalogue.ts";
import type { ActionName, ActionRight as NeededRight } from "./action-plan.ts";
import { limitsOf, replicasOf } from "./field-plans.ts";
import { KINDS, plannedObjectOf, toParameters, withActionResource, type ActionQuestion, type ActionResource } from "./open-action.ts";
import { imagesOf } from "./pod-template.ts";
import { revisionsOf } from "./rollback.ts";

/**
 * What the viewer can do to a resource as it is now. Each distinct right is reviewed once; the cluster judges the real request again.
 *
 * @throws Fault as `withActionResource`
 */
export async function reviewActions(context: BffContext, question: ActionQuestion): Promise<ReviewActionsResponse> {
  return withActionResource(context, question, async (resource) => {
    const { kind, object, environment } = resource;
    const names = actionsOf(kind, object, levelOf(context.features, environment.tier));
    const reviews = new Map<string, Promise<AccessReview>>();
    const offer = async (name: ActionName, toolId?: string) => {
      const right = rightOf(kind, name, toolId);
      const key = `${right.verb} ${right.resource}/${right.subresource}`;
      const review = reviews.get(key) ?? reviewOf(resource, right, name);
      reviews.set(key, review);
      return { kind: KINDS[name], ...toRight(await review, right, resource) };
    };
    const [tools, actions, revisions] = await Promise.all([
      Promise.all(
        toolActionsOf(kind, object).map(async ({ tool, action: { id, label } }) => ({
          ...(await offer("tool", id)),
          toolAction: id,
          tool,
          label,
        })),
      ),
      Promise.all(names.map((name) => offer(name))),
      names.includes("roll-back") ? revisionsFor(resource) : undefined,
    ]);
    return create(ReviewActionsResponseSchema, {
      actions: [...tools, ...actions],
      images: imagesOf(kind, object).map(({ name, image }) => ({ container: name, image })),
      ...(names.includes("scale") && { replicas: replicasOf(object) }),
      ...(names.includes("set-limits") && { limits: toParameters(limitsOf(object)) }),
      ...revisions,
    });
  });
}

/** Revisions to roll back to, or why they are not known. */
async function revisionsFor(
  resource: ActionResource,
): Promise<Pick<MessageInitShape<typeof ReviewActionsResponseSchema>, "revisions" | "revisionsUnknown">> {
  try {
    const revisions = await revisionsOf(plannedObjectOf(resource));
    return {
      revisions: revisions.map(({ revision, template, created, changeCause, isPresent }) => {
        const images = imagesOf({ resource: "deployments" }, { ...resource.object, spec: { template } }).map(({ image }) => image);
        return { revision, images, changeCause, isPresent, ...timeField("created", Date.parse(created)) };
      }),
    };
  } catch (error) {
    if (error instanceof KubeClientError) return { revisionsUnknown: toSentWords(error.words) };
    throw error;
  }
}

function reviewOf({ access, kind, ref, signal }: ActionResource, right: NeededRight, action: ActionName): Promise<AccessReview> {
  // A Job that is created has another name than what it is created from.
  const name = action === "run-now" || action === "run-again" ? "" : ref.name;
  const version = right.group === kind.group ? kind.version : "v1";
  return reviewAccess(access.client, { version, ...right, namespace: ref.namespace, name }, signal);
}

function toRight(
  review: AccessReview,
  { verb, group, resource, subresource }: NeededRight,
  { ref: { namespace } }: ActionResource,
): Omit<MessageInitShape<typeof OfferedActionSchema>, "kind" | "$typeName"> {
  if (review.right === "allowed") return { right: ActionRight.ALLOWED };
  if (review.right === "not-known") return { right: ActionRight.UNSPECIFIED, words: toSentWords(review.why) };
  const rule = subresource === "" ? resource : `${resource}/${subresource}`;
  return {
    right: ActionRight.DENIED,
    words: toSentWords(words("action/may-not", { verb, resource: rule, namespace })),
    roleYaml: stringify({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: `binnacle-${verb}-${rule.replace("/", "-")}`, namespace },
      rules: [{ apiGroups: [group], resources: [rule], verbs: [verb] }],
    }),
  };
}
