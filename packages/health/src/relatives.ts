import { fieldsAt, fieldsOf, listAt, textAt, type Fields } from "@binnacle/kube";

import type { RuleInput } from "./verdict.ts";

/** API group of an object, empty for core. */
export function groupAt(object: Fields): string {
  const apiVersion = textAt(object, "apiVersion");
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** Whether the object is of this group and kind. */
export function isKind(object: Fields, group: string, kind: string): boolean {
  return object["kind"] === kind && groupAt(object) === group;
}

/** Whether `owner` owns the object: by uid, or by kind and name when the owner carries none. */
export function isOwnedBy(object: Fields, owner: Fields): boolean {
  const metadata = fieldsAt(owner, "metadata");
  const uid = textAt(metadata, "uid");
  for (const entry of listAt(fieldsAt(object, "metadata"), "ownerReferences")) {
    const reference = fieldsOf(entry);
    if (uid !== "") {
      if (textAt(reference, "uid") === uid) return true;
    } else if (reference["kind"] === owner["kind"] && textAt(reference, "name") === textAt(metadata, "name")) return true;
  }
  return false;
}

/** Related objects of a kind that the object owns; empty when nothing is known. */
export function ownedOf(input: RuleInput, group: string, kind: string): Fields[] {
  return (input.related ?? []).filter((object) => isKind(object, group, kind) && isOwnedBy(object, input.object));
}

/** Related pods that another object, which is related itself, owns. */
export function podsBelow(owner: Fields, { related = [] }: RuleInput): Fields[] {
  return related.filter((object) => isKind(object, "", "Pod") && isOwnedBy(object, owner));
}
