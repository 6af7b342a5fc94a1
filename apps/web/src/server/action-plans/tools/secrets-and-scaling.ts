import { fieldsAt, listAt, textAt } from "@binnacle/kube";

import type { ToolActions } from "./tool-action.ts";

/** `cmctl renew`. @see cert-manager documentation, "Trigger a renewal of a Certificate" */
export const CERT_MANAGER: ToolActions = {
  tool: "cert-manager",
  actions: [
    {
      id: "cert-manager/renew",
      label: "Renew",
      kinds: ["cert-manager.io/certificates"],
      path: ["status", "conditions"],
      write: {
        kind: "condition",
        type: "Issuing",
        reason: "ManuallyTriggered",
        message: "Certificate re-issuance manually triggered",
      },
      isStatus: true,
      isOffered: (object) =>
        !listAt(fieldsAt(object, "status"), "conditions").some(
          (condition) => textAt(condition, "type") === "Issuing" && textAt(condition, "status") === "True",
        ),
    },
  ],
};

const SCALED = ["keda.sh/scaledobjects", "keda.sh/scaledjobs"];
const PAUSED = ["metadata", "annotations", "autoscaling.keda.sh/paused"];
const annotationsOf = (object: unknown) => fieldsAt(fieldsAt(object, "metadata"), "annotations");
/** As Go's `strconv.ParseBool` reads them; whatever is no such text pauses. */
const NOT_PAUSED: readonly unknown[] = ["0", "f", "F", "false", "False", "FALSE", undefined];
const isPaused = (object: unknown): boolean => !NOT_PAUSED.includes(annotationsOf(object)["autoscaling.keda.sh/paused"]);
/** It pauses at a number of replicas, whatever the other annotation says. */
const isPausedAtReplicas = (object: unknown): boolean => annotationsOf(object)["autoscaling.keda.sh/paused-replicas"] !== undefined;

/** @see KEDA documentation, "Pause autoscaling" */
export const KEDA: ToolActions = {
  tool: "KEDA",
  actions: [
    {
      id: "keda/pause",
      label: "Pause scaling",
      kinds: SCALED,
      path: PAUSED,
      write: { kind: "value", value: "true" },
      isOffered: (object) => !isPaused(object) && !isPausedAtReplicas(object),
      reverse: "keda/resume",
    },
    {
      id: "keda/resume",
      label: "Resume scaling",
      kinds: SCALED,
      path: PAUSED,
      write: { kind: "removal" },
      isOffered: (object) => isPaused(object) && !isPausedAtReplicas(object),
      reverse: "keda/pause",
    },
  ],
};

/** An ExternalSecret that is made once, or whose interval is zero, is not read again for an annotation. */
function isRefreshed(object: unknown): boolean {
  if (textAt(object, "kind") !== "ExternalSecret") return true;
  const spec = fieldsAt(object, "spec");
  const policy = textAt(spec, "refreshPolicy");
  // A duration of Go: "0", "0s".
  const isNever = /^[^1-9]+$/.test(textAt(spec, "refreshInterval"));
  return policy === "OnChange" || (policy !== "CreatedOnce" && !isNever);
}

/** @see External Secrets Operator documentation, "Manual refresh" and "Refresh policy" */
export const EXTERNAL_SECRETS: ToolActions = {
  tool: "External Secrets",
  actions: [
    {
      id: "external-secrets/refresh",
      label: "Refresh",
      kinds: ["external-secrets.io/externalsecrets", "external-secrets.io/pushsecrets"],
      path: ["metadata", "annotations", "force-sync"],
      write: { kind: "time" },
      isOffered: isRefreshed,
    },
  ],
};
