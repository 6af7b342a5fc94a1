import { fieldsAt, numberAt, textAt } from "@binnacle/kube";

import { textsOf } from "@binnacle/words";

import type { HealthStatus } from "../../health-status.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { blaming, keyOfService } from "../root-key.ts";
import { say } from "../say.ts";
import type { Row } from "../rows.ts";
import type { World } from "../world.ts";
import { unrequestedOf } from "./unrequested.ts";
import { missingRoot } from "./reference-root.ts";

/** Why a HorizontalPodAutoscaler does not scale. */
export function autoscalerRoot(subject: Subject, world: World): Root {
  const { input, ref, reason, message, status } = subject;
  const target = fieldsAt(input.spec, "scaleTargetRef");
  const facts = { reason, name: ref.name, said: message, target: `${textAt(target, "kind")} ${textAt(target, "name")}`.trim() };
  const text = textsOf(message);
  const row = rowOf(reason, text, status);
  const missing = world.missing.find(({ kind, name }) => `${kind} ${name}` === facts.target);
  if (missing !== undefined && row === "no-target") return missingRoot(missing, subject);
  const said = say("autoscaling", row, { ...facts, unrequested: unrequestedOf(subject, world) });
  return blaming(ownRoot(said), row === "no-metrics" ? keyOfMetrics(text) : undefined);
}

/**
 * The API that gives no metrics is the same for all autoscalers. Metrics of the custom and the external one come and go each
 * for itself, so that there its own words count, too.
 */
function keyOfMetrics(message: string): string | undefined {
  const sign = /(resource|custom|external) metrics API/.exec(message);
  if (sign === null) return undefined;
  const [all, api = ""] = sign;
  const words = message.slice(sign.index + all.length);
  if (api === "resource") return keyOfService("metrics-api", api);
  return words === "" ? undefined : keyOfService("metrics-api", `${api}${words}`);
}

/** Why a PodDisruptionBudget is violated. */
export function budgetRoot({ input, ref, reason }: Subject): Root {
  const facts = {
    reason,
    name: ref.name,
    current: numberAt(input.status, "currentHealthy") ?? 0,
    desired: numberAt(input.status, "desiredHealthy") ?? 0,
  };
  return ownRoot(say("autoscaling", "budget-violated", facts));
}

function rowOf(reason: string, message: string, status: HealthStatus): Row<"autoscaling"> {
  if (/^Failed(?:Get|Update)Scale$/.test(reason)) return "no-target";
  if (reason === "InvalidSelector" || reason === "AmbiguousSelector") return "selector";
  if (/missing request for/.test(message)) return "no-requests";
  if (/^Failed.*Metric/.test(reason)) return "no-metrics";
  return status === "Degraded" ? "not-scaling" : "waiting";
}
