import { matchesSelector, parseLabelSelector } from "@binnacle/graph";
import { fieldsAt, numberAt, type KubeObject } from "@binnacle/kube";
import { ActionEffectKind } from "@binnacle/proto/dashboard";
import { words } from "@binnacle/words";

import type { PlannedObject } from "../action-plans/action-plan.ts";
import type { ActionEffect } from "./action-effect.ts";
import { BUDGETS, listBeside } from "./listed-objects.ts";

/** The PodDisruptionBudgets that cover a pod, with the disruptions that they allow now. */
export async function budgetEffects(of: PlannedObject): Promise<readonly ActionEffect[]> {
  const listed = await listBeside(of, { kind: BUDGETS });
  if ("why" in listed) return [{ kind: ActionEffectKind.NOT_KNOWN, words: words("action/budget-unknown", { why: listed.why }) }];
  const covering = listed.items.filter((budget) => covers(budget, of.object));
  if (covering.length === 0) return [{ kind: ActionEffectKind.BUDGET, words: words("action/no-budget") }];
  return covering.map((budget) => {
    const { name } = budget.metadata;
    const count = numberAt(fieldsAt(budget, "status"), "disruptionsAllowed") ?? 0;
    const sentence = count > 0 ? words("action/budget", { name, count }) : words("action/budget-none-left", { name });
    return { kind: ActionEffectKind.BUDGET, words: sentence, isObstacle: count <= 0 };
  });
}

/** An empty selector of `policy/v1` covers every pod of the namespace, an absent one none. */
function covers(budget: KubeObject, { metadata: { labels = {} } }: KubeObject): boolean {
  const selector = parseLabelSelector(fieldsAt(budget, "spec")["selector"]);
  return selector !== undefined && matchesSelector(selector, labels);
}
