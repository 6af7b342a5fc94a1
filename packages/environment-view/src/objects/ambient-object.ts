import { groupOf, type KubeObject } from "@binnacle/kube";

/**
 * What Kubernetes itself puts into every namespace: it says nothing of an environment, and a namespace that holds nothing else is empty.
 *
 * @see Kubernetes documentation, "Default service accounts" and "Root CA certificate publisher"
 */
export function isAmbient(object: KubeObject): boolean {
  if (groupOf(object.apiVersion) !== "") return false;
  const { name } = object.metadata;
  return (object.kind === "ServiceAccount" && name === "default") || (object.kind === "ConfigMap" && name === "kube-root-ca.crt");
}
