import { createHash } from "node:crypto";

import { canonicalText } from "../json-tree.ts";

const LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** Ten letters and digits that name a pod template, as in the label `pod-template-hash`. */
export function templateHash(template: unknown, collisions: number): string {
  const digest = createHash("sha256")
    .update(`${canonicalText(template)} ${collisions}`)
    .digest();
  return Array.from(digest.subarray(0, 10), (byte) => LETTERS[byte % LETTERS.length]).join("");
}
