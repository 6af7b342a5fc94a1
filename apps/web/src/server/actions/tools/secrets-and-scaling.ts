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
const isPaused = (object: unknown): boolean => textAt(fieldsAt(fieldsAt(object, "metadata"), "annotations"), PAUSED[2] ?? "") === "true";

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
      isOffered: (object) => !isPaused(object),
      reverse: "keda/resume",
    },
    {
      id: "keda/resume",
      label: "Resume scaling",
      kinds: SCALED,
      path: PAUSED,
      write: { kind: "removal" },
      isOffered: isPaused,
      reverse: "keda/pause",
    },
  ],
};

/** @see External Secrets Operator documentation, "Manual refresh" */
export const EXTERNAL_SECRETS: ToolActions = {
  tool: "External Secrets",
  actions: [
    {
      id: "external-secrets/refresh",
      label: "Refresh",
      kinds: ["external-secrets.io/externalsecrets", "external-secrets.io/pushsecrets"],
      path: ["metadata", "annotations", "force-sync"],
      write: { kind: "time" },
    },
  ],
};
