import type { KubeObject } from "./kube-object.ts";

/** Annotation in which kubectl, and what applies as it does, keeps the object as it was applied last. It holds the values of a Secret, too. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The object without managed fields and without kubectl's copy of it; that is most of its bytes. Not mutated. */
export function trimObject(object: KubeObject): KubeObject {
  const metadata: Record<string, unknown> & { name: string } = { ...object.metadata };
  delete metadata["managedFields"];
  const annotations = object.metadata.annotations;
  if (annotations !== undefined && typeof annotations === "object" && annotations !== null) {
    const others = Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== LAST_APPLIED));
    metadata["annotations"] = others;
  }
  return { ...object, metadata };
}
