import { fieldsAt, listAt, textAt, type KubeObject } from "@binnacle/kube";

import { namespaceFor } from "../cluster-kinds.ts";
import { referenceByName, type Reference } from "../reference.ts";

/** RoleBinding and ClusterRoleBinding → role and ServiceAccounts; users and groups are no objects. */
export function bindingReferences(object: KubeObject): Reference[] {
  const references: Reference[] = [];
  const namespace = object.metadata.namespace ?? "";
  const role = fieldsAt(object, "roleRef");
  const [kind, name] = [textAt(role, "kind"), textAt(role, "name")];
  if (kind !== "" && name !== "") {
    const group = "rbac.authorization.k8s.io";
    const key = { group, kind, namespace: namespaceFor(group, kind, namespace), name };
    references.push(referenceByName("rb-role", "roleRef", { key, soft: true }));
  }
  for (const [index, subject] of listAt(object, "subjects").entries()) {
    if (textAt(subject, "kind") !== "ServiceAccount") continue;
    const key = { group: "", kind: "ServiceAccount", namespace: textAt(subject, "namespace") || namespace, name: textAt(subject, "name") };
    references.push(referenceByName("rb-subject", `subjects[${index}]`, { key, soft: true }));
  }
  return references;
}

/** Certificate (cert-manager) → the Secret it writes, and its issuer. */
export function certificateReferences(object: KubeObject): Reference[] {
  const spec = fieldsAt(object, "spec");
  const namespace = object.metadata.namespace ?? "";
  const references: Reference[] = [];
  const secret = textAt(spec, "secretName");
  if (secret !== "") {
    references.push(referenceByName("cert", "spec.secretName", { key: { group: "", kind: "Secret", namespace, name: secret } }));
  }
  const issuer = fieldsAt(spec, "issuerRef");
  const name = textAt(issuer, "name");
  if (name !== "") {
    const kind = textAt(issuer, "kind") || "Issuer";
    const group = textAt(issuer, "group") || object.apiVersion.slice(0, Math.max(0, object.apiVersion.indexOf("/")));
    const key = { group, kind, namespace: namespaceFor(group, kind, namespace), name };
    references.push(referenceByName("cert", "spec.issuerRef", { key }));
  }
  return references;
}
