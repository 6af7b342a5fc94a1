import type { KubeObject } from "./kube-object.ts";

/** Annotations that repeat the object itself. */
const COPIES = ["kubectl.kubernetes.io/last-applied-configuration"];

/** The object without managed fields and without kubectl's copy of it; that is most of its bytes. Not mutated. */
export function trimObject(object: KubeObject): KubeObject {
  const metadata: Record<string, unknown> & { name: string } = { ...object.metadata };
  delete metadata["managedFields"];
  const annotations = object.metadata.annotations;
  if (annotations !== undefined && typeof annotations === "object" && annotations !== null) {
    const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => !COPIES.includes(key)));
    metadata["annotations"] = kept;
  }
  return { ...object, metadata };
}
