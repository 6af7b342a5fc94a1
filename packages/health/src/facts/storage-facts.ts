import { fieldsAt, isFields, textAt } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import type { RuleInput } from "../verdict.ts";
import { named } from "./named.ts";

/** "3 keys". A Secret that was read as metadata only has no keys to count, and then there is no fact. */
export function keysFact(input: RuleInput): Words | undefined {
  const parts = ["data", "binaryData"].map((field) => input.object[field]).filter(isFields);
  if (parts.length === 0 && input.kind === "Secret") return named(textAt(input.object, "type"));
  return words("fact/keys", { count: parts.reduce((sum, part) => sum + Object.keys(part).length, 0) });
}

/** "10Gi · Bound". */
export function volumeFact(input: RuleInput): Words | undefined {
  const capacity = textAt(fieldsAt(input.status, "capacity"), "storage") || textAt(fieldsAt(input.spec, "capacity"), "storage");
  const requested = textAt(fieldsAt(fieldsAt(input.spec, "resources"), "requests"), "storage");
  const [size, phase] = [capacity || requested, textAt(input.status, "phase")];
  return size === "" ? named(phase) : words("fact/volume", { size, phase });
}
