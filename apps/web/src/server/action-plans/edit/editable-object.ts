import { fieldPath, isFields, maskSecret, trimObject, type KubeObject } from "@binnacle/kube";
import { words } from "@binnacle/words";
import { stringify } from "yaml";

import { inUsualOrder } from "../../resource/usual-order.ts";
import { isSame, valueAt } from "./object-edit.ts";
import type { DocumentProblem, ReadDocument } from "./read-document.ts";

/** What `maskSecret` writes in place of a value. */
const MASK = "*****";
/** Fields that only the API server and controllers write; they are not in the document. */
const SERVER_FIELDS = ["resourceVersion", "generation", "selfLink", "managedFields"];
/** Fields that name an object, or that no request changes. A document that has other values is of another object. */
const FIXED_FIELDS: readonly (readonly string[])[] = [
  ["apiVersion"],
  ["kind"],
  ...["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", ...SERVER_FIELDS].map((name) => [
    "metadata",
    name,
  ]),
];

/** Whether an object, or what was requested as one, is a Secret. */
export function isSecret(resource: string, { kind }: Pick<KubeObject, "kind">): boolean {
  return resource === "secrets" || kind === "Secret";
}

/** The object as it is edited: without its status, what only the API server writes, and the copy that kubectl keeps in an annotation. */
export function editableObject(object: KubeObject, { isMasked }: { readonly isMasked: boolean }): Readonly<Record<string, unknown>> {
  const { status: _, metadata, ...shown } = isMasked ? maskSecret(object) : trimObject(object);
  const kept = Object.fromEntries(Object.entries(metadata).filter(([name]) => !SERVER_FIELDS.includes(name)));
  return { ...shown, metadata: kept };
}

/** An editable object as a YAML document. */
export function documentOf(content: unknown): string {
  return stringify(inUsualOrder(isFields(content) ? content : {}), { lineWidth: 0 });
}

/** Whether a value, or one in it, is masked. */
export function hasMask(value: unknown): boolean {
  if (value === MASK) return true;
  if (Array.isArray(value)) return value.some(hasMask);
  return isFields(value) && Object.values(value).some(hasMask);
}

/**
 * The edited document without the fields that are not in it when it is opened: those that have the object's own value are left out, as in the
 * output of `kubectl get`, others cannot be written.
 */
export function withoutServerFields(
  { content, lineOf }: ReadDocument,
  { base, object }: { readonly base: Readonly<Record<string, unknown>>; readonly object: KubeObject },
): { readonly content: Readonly<Record<string, unknown>> } | { readonly problem: DocumentProblem } {
  const { status, ...kept } = content;
  if (Object.hasOwn(content, "status") && !isSame(status, object["status"]))
    return { problem: { line: lineOf(["status"]), path: "status", words: words("edit/status") } };
  const metadata: Record<string, unknown> = { ...(isFields(kept["metadata"]) ? kept["metadata"] : {}) };
  for (const keys of FIXED_FIELDS) {
    const [edited, known, present] = [valueAt(content, keys), valueAt(base, keys), valueAt(object, keys)];
    if (isSame(edited, known)) continue;
    const path = keys.reduce(fieldPath, "");
    if (edited === undefined || !isSame(edited, present))
      return { problem: { line: lineOf(keys), path, words: words("edit/fixed", { path }) } };
    if (known === undefined) Reflect.deleteProperty(metadata, keys.at(-1) ?? "");
  }
  return { content: { ...kept, metadata } };
}
