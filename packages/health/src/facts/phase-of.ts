import { fieldsAt, type Fields } from "@binnacle/kube";

import { wordAt } from "../bounded-text.ts";

/** The one word by which a custom resource names its state: `status.phase`, `state` or `health`; empty when there is none. */
export function phaseOf(status: Fields): string {
  for (const field of ["phase", "state", "health"]) {
    const word = wordAt(status, field);
    if (word !== "") return word;
    const nested = fieldsAt(status, field);
    const inner = wordAt(nested, "status") || wordAt(nested, "state") || wordAt(nested, "phase");
    if (inner !== "") return inner;
  }
  return "";
}
