import { fieldsAt, numberAt, textAt } from "@binnacle/kube";

import { ownRoot, type Root, type Subject } from "../root.ts";
import { say } from "../say.ts";
import type { Row } from "../words/families.ts";
import type { World } from "../world.ts";
import { missingRoot } from "./reference-root.ts";

/** Why a HorizontalPodAutoscaler does not scale. */
export function autoscalerRoot(subject: Subject, world: World): Root {
  const { input, ref, reason, message } = subject;
  const target = fieldsAt(input.spec, "scaleTargetRef");
  const facts = { reason, name: ref.name, said: message, target: `${textAt(target, "kind")} ${textAt(target, "name")}`.trim() };
  const row = rowOf(reason, message);
  const missing = world.missing.find(({ kind, name }) => `${kind} ${name}` === facts.target);
  return missing !== undefined && row === "no-target" ? missingRoot(missing, subject) : ownRoot(say("autoscaling", row, facts));
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

function rowOf(reason: string, message: string): Row<"autoscaling"> {
  if (/^Failed(?:Get|Update)Scale$/.test(reason)) return "no-target";
  if (reason === "InvalidSelector") return "selector";
  if (/missing request for/.test(message)) return "no-requests";
  return /Metric/.test(reason) ? "no-metrics" : "waiting";
}
