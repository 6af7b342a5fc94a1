import { ActionRight, ReviewActionsResponseSchema, type OfferedActionSchema, type ReviewActionsResponse } from "@binnacle/proto/dashboard";
import { words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { stringify } from "yaml";

import type { BffContext } from "../bff-context.ts";
import { reviewAccess, type AccessReview } from "../upstream/access-review.ts";
import { toSentWords } from "../wire/sent-words.ts";
import { actionsOf, replicasOf, rightOf, type ActionRight as NeededRight } from "./action-plan.ts";
import { KINDS, withActionResource, type ActionQuestion, type ActionResource } from "./open-action.ts";
import { imagesOf } from "./pod-template.ts";

/**
 * What the viewer can do to a resource as it is now. Each distinct right is reviewed once; the cluster judges the real request again.
 *
 * @throws Fault as `withActionResource`
 */
export async function reviewActions(context: BffContext, question: ActionQuestion): Promise<ReviewActionsResponse> {
  return withActionResource(context, question, async (resource) => {
    const { kind, object } = resource;
    const reviews = new Map<string, Promise<AccessReview>>();
    const actions = await Promise.all(
      actionsOf(kind, object).map(async (name) => {
        const right = rightOf(kind, name);
        const review = reviews.get(right.subresource) ?? reviewOf(resource, right);
        reviews.set(right.subresource, review);
        return { kind: KINDS[name], ...toRight(await review, right, resource) };
      }),
    );
    const replicas = actions.some(({ kind: action }) => action === KINDS.scale) ? replicasOf(object) : undefined;
    return create(ReviewActionsResponseSchema, {
      actions,
      images: imagesOf(kind, object).map(({ name, image }) => ({ container: name, image })),
      ...(replicas === undefined ? {} : { replicas }),
    });
  });
}

function reviewOf({ access, kind, ref, signal }: ActionResource, right: NeededRight): Promise<AccessReview> {
  const { namespace, name } = ref;
  return reviewAccess(access.client, { verb: "patch", version: kind.version, ...right, namespace, name }, signal);
}

function toRight(
  review: AccessReview,
  { group, resource, subresource }: NeededRight,
  { ref: { namespace } }: ActionResource,
): Omit<MessageInitShape<typeof OfferedActionSchema>, "kind" | "$typeName"> {
  if (review.right === "allowed") return { right: ActionRight.ALLOWED };
  if (review.right === "not-known") return { right: ActionRight.UNSPECIFIED, words: toSentWords(review.why) };
  const rule = subresource === "" ? resource : `${resource}/${subresource}`;
  return {
    right: ActionRight.DENIED,
    words: toSentWords(words("action/may-not", { verb: "patch", resource: rule, namespace })),
    roleYaml: stringify({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: `binnacle-patch-${rule.replace("/", "-")}`, namespace },
      rules: [{ apiGroups: [group], resources: [rule], verbs: ["patch"] }],
    }),
  };
}
