import { fieldsAt, listAt, textAt } from "@binnacle/kube";

import type { ToolActions } from "./tool-action.ts";

/** `argocd app get --refresh`. @see Argo CD documentation, "Annotations and Labels" */
export const ARGO_CD: ToolActions = {
  tool: "Argo CD",
  actions: [
    {
      id: "argo-cd/refresh",
      label: "Refresh",
      kinds: ["argoproj.io/applications"],
      path: ["metadata", "annotations", "argocd.argoproj.io/refresh"],
      write: { kind: "value", value: "normal" },
    },
  ],
};

const ROLLOUTS = ["argoproj.io/rollouts"];
const statusOf = (object: unknown) => fieldsAt(object, "status");
/** The newest pods are not the ones that it would go back to. */
const isUpdating = (object: unknown): boolean => textAt(statusOf(object), "currentPodHash") !== textAt(statusOf(object), "stableRS");

/**
 * Whether its pauses are all that it waits for. `kubectl argo rollouts promote` also writes `spec.paused` of one that a user has paused, and
 * the step of one whose analysis was inconclusive: without that it would wait on.
 */
function waitsForPromotion(object: unknown): boolean {
  const [spec, status] = [fieldsAt(object, "spec"), statusOf(object)];
  const analysis = fieldsAt(fieldsAt(status, "canary"), "currentStepAnalysisRunStatus");
  const isInconclusive = status["controllerPause"] === true && textAt(analysis, "status") === "Inconclusive";
  return listAt(status, "pauseConditions").length > 0 && spec["paused"] !== true && !isInconclusive;
}

/** `kubectl argo rollouts promote`, `abort` and `retry rollout`, by the same fields. */
export const ARGO_ROLLOUTS: ToolActions = {
  tool: "Argo Rollouts",
  actions: [
    {
      id: "argo-rollouts/promote",
      label: "Promote",
      kinds: ROLLOUTS,
      path: ["status", "pauseConditions"],
      write: { kind: "removal" },
      isStatus: true,
      isOffered: waitsForPromotion,
    },
    {
      id: "argo-rollouts/abort",
      label: "Abort",
      kinds: ROLLOUTS,
      path: ["status", "abort"],
      write: { kind: "value", value: true },
      isStatus: true,
      isOffered: (object) => statusOf(object)["abort"] !== true && isUpdating(object),
      reverse: "argo-rollouts/retry",
    },
    {
      id: "argo-rollouts/retry",
      label: "Retry",
      kinds: ROLLOUTS,
      path: ["status", "abort"],
      write: { kind: "value", value: false },
      isStatus: true,
      isOffered: (object) => statusOf(object)["abort"] === true,
    },
  ],
};
