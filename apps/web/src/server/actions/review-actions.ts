import { fieldsAt, textAt } from "@binnacle/kube";
import {
  ActionKind,
  ActionRight,
  ReviewActionsResponseSchema,
  type OfferedActionSchema,
  type ReviewActionsResponse,
} from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { missingRight, type AccessReview } from "../kas/access-review.ts";
import type { PermissionsContext } from "../kas/viewer-permissions.ts";
import { toSentWords } from "../base/sent-words.ts";
import { debugImageOf } from "../config/features.ts";
import { actionsOf, rightOf } from "../action-plans/action-catalogue.ts";
import { toolActionsOf } from "../action-plans/tools/tool-catalogue.ts";
import type { ActionName, ActionRight as NeededRight } from "../action-plans/action-plan.ts";
import { limitsOf, replicasOf } from "../action-plans/field-plans.ts";
import {
  KINDS,
  needsName,
  openAction,
  readAction,
  toParameters,
  type ActionQuestion,
  type ActionResource,
  type ActionContext,
} from "./open-action.ts";
import { imagesOf } from "../action-plans/pod-template.ts";

/** What rights to actions are reviewed with. */
export interface ReviewActionsContext extends ActionContext, PermissionsContext {}

/** The right to add a debug container. */
const DEBUG_RIGHT: NeededRight = { verb: "patch", group: "", resource: "pods", subresource: "ephemeralcontainers" };

/**
 * What the viewer can do to a resource as it is now, as `ViewerPermissions` knows it; the cluster judges the real request again.
 *
 * @throws Fault as `withActionResource`
 */
export async function reviewActions(context: ReviewActionsContext, question: ActionQuestion): Promise<ReviewActionsResponse> {
  const opened = await openAction(context, { ...question, mayBeInventory: true });
  return readAction(context, opened, async (resource) => {
    const { kind, object, sync } = resource;
    const names = actionsOf(resource, opened.level);
    const offer = async (name: ActionName, toolId?: string) => {
      const right = rightOf(kind, name, toolId);
      // A Job that is created has another name than what it is created from.
      const target = name === "run-now" || name === "run-again" ? "" : resource.ref.name;
      const review = await reviewOf(context, resource, { right, name: target });
      return { kind: KINDS[name], needsName: needsName(resource, name), ...toRight(review, right, resource) };
    };
    const offerDebug = async () => {
      const review = await reviewOf(context, resource, { right: DEBUG_RIGHT, name: resource.ref.name });
      return { kind: ActionKind.DEBUG_CONTAINER, ...toRight(review, DEBUG_RIGHT, resource) };
    };
    const tools = toolActionsOf(kind, object).map(async ({ tool, action: { id, label } }) => ({
      ...(await offer("tool", id)),
      toolAction: id,
      tool,
      label,
    }));
    return create(ReviewActionsResponseSchema, {
      uid: resource.uid,
      actions: await Promise.all([...tools, ...(canDebug(context, resource) ? [offerDebug()] : []), ...names.map((name) => offer(name))]),
      images: imagesOf(kind, object).map(({ name, image }) => ({ container: name, image })),
      ...(names.includes("scale") && { replicas: replicasOf(object) }),
      commit: (names.includes("consent-prune") && sync?.commit?.sha) || "",
      ...(names.includes("set-limits") && { limits: toParameters(limitsOf(object)) }),
    });
  });
}

/** Whether a debug container can be added: to a pod that runs, where the operator offers an image for it. */
function canDebug({ features }: ActionContext, { kind, object, environment }: ActionResource): boolean {
  if (kind.group !== "" || kind.resource !== "pods" || debugImageOf(features, environment.tier) === undefined) return false;
  return textAt(fieldsAt(object, "status"), "phase") === "Running" && textAt(object.metadata, "deletionTimestamp") === "";
}

/** @param name of the object that is changed; empty: any */
function reviewOf(
  { permissions }: PermissionsContext,
  resource: ActionResource,
  { right, name }: { readonly right: NeededRight; readonly name: string },
): Promise<AccessReview> {
  const { access, kind } = resource;
  const version = right.group === kind.group ? kind.version : "v1";
  return permissions.review(access, { version, ...right, namespace: namespaceOfRight(resource), name });
}

/** A request for a Namespace is one in this namespace to an authorizer. @see `NewRequestInfo` in Kubernetes' apiserver/pkg/endpoints/request */
function namespaceOfRight({ kind, ref }: ActionResource): string {
  return kind.group === "" && kind.resource === "namespaces" ? ref.name : ref.namespace;
}

function toRight(
  review: AccessReview,
  right: NeededRight,
  resource: ActionResource,
): Omit<MessageInitShape<typeof OfferedActionSchema>, "kind" | "$typeName"> {
  if (review.right === "allowed") return { right: ActionRight.ALLOWED };
  if (review.right === "not-known") return { right: ActionRight.UNSPECIFIED, words: toSentWords(review.why) };
  const missing = missingRight(right, [right.verb], namespaceOfRight(resource));
  return { right: ActionRight.DENIED, words: toSentWords(missing.words), roleYaml: missing.roleYaml };
}
