import { scopeKeyOf, whereWords, type ViewScope } from "@binnacle/environment-view";
import type { LabelRequirement } from "@binnacle/graph";
import { words, type Words } from "@binnacle/words";
import { createHash } from "node:crypto";

const MAX_LABELS = 5;
const MAX_VALUES = 3;

/** Which part of a cluster a scope is, in words: "Namespaces shop, shop-jobs, with labels app=web". */
export function scopeWords({ namespaces, labels, inventory }: ViewScope): Words {
  const requirements = labels?.requirements ?? [];
  const more = requirements.length - MAX_LABELS;
  return words("scope/is", {
    where: whereWords(namespaces),
    labels: requirements.slice(0, MAX_LABELS).map(requirementText),
    more: more > 0 ? more : undefined,
    inventory: inventory?.name,
  });
}

/** Names a scope that a team's file gives, to find out whether it is another one. */
export function scopeId(scope: ViewScope): string {
  return createHash("sha256").update(scopeKeyOf(scope)).digest("base64url").slice(0, 16);
}

/** As Kubernetes writes selectors: it is no language. */
function requirementText({ key, values }: LabelRequirement): string {
  if (values.length === 1) return `${key}=${values[0]}`;
  return `${key} in (${values.slice(0, MAX_VALUES).join(", ")}${values.length > MAX_VALUES ? ", …" : ""})`;
}
