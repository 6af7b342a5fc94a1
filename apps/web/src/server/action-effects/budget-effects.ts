import { matchesSelector, parseLabelSelector } from "@binnacle/graph";
import { fieldsAt, listAt, numberAt, textAt, type KubeObject } from "@binnacle/kube";
import { ActionEffectKind } from "@binnacle/proto/dashboard";
import { words } from "@binnacle/words";

import type { PlannedObject } from "../action-plans/action-plan.ts";
import type { ActionEffect } from "./action-effect.ts";
import { BUDGETS, listBeside, namesOf } from "./listed-objects.ts";

/**
 * The PodDisruptionBudgets that cover a pod, with the disruptions that they allow now. A pod that is not healthy may be evicted all the same.
 *
 * @see `EvictionREST` in Kubernetes' pkg/registry/core/pod/storage/eviction.go
 */
export async function budgetEffects(of: PlannedObject): Promise<readonly ActionEffect[]> {
  const listed = await listBeside(of, { kind: BUDGETS });
  if ("why" in listed) return [{ kind: ActionEffectKind.NOT_KNOWN, words: words("action/budget-unknown", { why: listed.why }) }];
  const covering = listed.items.filter((budget) => covers(budget, of.object));
  const kind = ActionEffectKind.BUDGET;
  if (covering.length === 0) return [{ kind, words: words("action/no-budget") }];
  const phase = textAt(fieldsAt(of.object, "status"), "phase");
  if (BUDGETS_IGNORED.has(phase)) return [{ kind, words: words("action/budget-ignored", { phase }), names: namesOf(covering) }];
  if (covering.length > 1) return [{ kind, words: words("action/budgets-many"), names: namesOf(covering), isObstacle: true }];
  return covering.map((budget) => {
    const { name } = budget.metadata;
    if (mayLeaveUnready(budget, of.object)) return { kind, words: words("action/budget-not-ready", { name }) };
    const count = numberAt(fieldsAt(budget, "status"), "disruptionsAllowed") ?? 0;
    const sentence = count > 0 ? words("action/budget", { name, count }) : words("action/budget-none-left", { name });
    return { kind, words: sentence, isObstacle: count <= 0 };
  });
}

/** Phases of pods that are evicted without regard to budgets. */
const BUDGETS_IGNORED: ReadonlySet<string> = new Set(["Pending", "Succeeded", "Failed"]);

/** Whether a budget lets a pod go because it is not ready: always by its policy, else while enough other pods are healthy. */
function mayLeaveUnready(budget: KubeObject, pod: KubeObject): boolean {
  const conditions = listAt(fieldsAt(pod, "status"), "conditions");
  if (conditions.some((condition) => textAt(condition, "type") === "Ready" && textAt(condition, "status") === "True")) return false;
  if (textAt(fieldsAt(budget, "spec"), "unhealthyPodEvictionPolicy") === "AlwaysAllow") return true;
  const status = fieldsAt(budget, "status");
  const desired = numberAt(status, "desiredHealthy") ?? 0;
  return desired > 0 && (numberAt(status, "currentHealthy") ?? 0) >= desired;
}

/** An empty selector of `policy/v1` covers every pod of the namespace, an absent one none. */
function covers(budget: KubeObject, { metadata: { labels = {} } }: KubeObject): boolean {
  const selector = parseLabelSelector(fieldsAt(budget, "spec")["selector"]);
  return selector !== undefined && matchesSelector(selector, labels);
}
