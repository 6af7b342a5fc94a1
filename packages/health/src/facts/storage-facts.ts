import { fieldsAt, isFields, textAt } from "@binnacle/kube";

import type { RuleInput } from "../verdict.ts";

/** "3 keys". A Secret that was read as metadata only has no keys to count, and then there is no fact. */
export function keysFact(input: RuleInput): string {
  const parts = ["data", "binaryData"].map((field) => input.object[field]).filter(isFields);
  if (parts.length === 0 && input.kind === "Secret") return textAt(input.object, "type");
  const keys = parts.reduce((sum, part) => sum + Object.keys(part).length, 0);
  return `${keys} ${keys === 1 ? "key" : "keys"}`;
}

/** "10Gi · Bound". */
export function volumeFact(input: RuleInput): string {
  const capacity = textAt(fieldsAt(input.status, "capacity"), "storage") || textAt(fieldsAt(input.spec, "capacity"), "storage");
  const asked = textAt(fieldsAt(fieldsAt(input.spec, "resources"), "requests"), "storage");
  return [capacity || asked, textAt(input.status, "phase")].filter((part) => part !== "").join(" · ");
}
