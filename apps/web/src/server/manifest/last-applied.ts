import { managerOf } from "@binnacle/graph";
import { encodeKey, fieldsAt, isKubeObject, keyOf, LAST_APPLIED, textAt, type KubeObject } from "@binnacle/kube";
import type { ManifestText } from "@binnacle/manifests";
import { words, type Words } from "@binnacle/words";

/** The state of an object that was applied last, as far as the object itself holds it. */
export type LastApplied = {
  readonly manifest: ManifestText;
  /** Who applied it, and where it stands. */
  readonly source: Words;
};

const WITHOUT_VALUES = {
  "cli-utils": "manifest/not-known",
  "flux-kustomization": "manifest/flux",
  "flux-helmrelease": "manifest/helm",
  helm: "manifest/helm",
} as const;

/**
 * Reads the annotation that client-side apply of kubectl and Argo CD leaves. What applies in another way has only the names of its fields in
 * the cluster, and an annotation beside those is of an earlier owner.
 *
 * @returns a manifest without lines, or why there is none
 */
export function lastAppliedOf(object: KubeObject): LastApplied | { readonly why: Words } {
  const manager = managerOf(object);
  const name = manager?.name ?? "";
  if (manager !== undefined && manager.tool !== "argocd") return { why: words(WITHOUT_VALUES[manager.tool], { name }) };
  const text = textAt(fieldsAt(object.metadata, "annotations"), LAST_APPLIED);
  const facts = { annotation: LAST_APPLIED, name };
  if (text === "") return { why: manager === undefined ? words("manifest/no-source") : words("manifest/argocd", { name }) };
  const applied = parse(text);
  if (applied === undefined || !isOf(applied, object)) return { why: words("manifest/last-applied-unreadable", facts) };
  const source = manager === undefined ? words("manifest/last-applied", facts) : words("manifest/last-applied-argocd", facts);
  return { manifest: { object: applied, line: 0, text: "" }, source };
}

function parse(text: string): KubeObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isKubeObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Copies of the annotation stand on what was copied by hand: those are of the other object. */
function isOf(applied: KubeObject, object: KubeObject): boolean {
  const key = keyOf(object);
  const namespace = keyOf(applied).namespace || key.namespace;
  return encodeKey({ ...keyOf(applied), namespace }) === encodeKey(key);
}
