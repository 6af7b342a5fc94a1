import { fieldsAt, groupOf, listAt, textAt, type KubeObject } from "@binnacle/kube";

import { namespaceFor } from "../cluster-kinds.ts";
import { referenceByName, referenceByUid, type Reference } from "../reference.ts";

/** RoleBinding and ClusterRoleBinding → role and ServiceAccounts; users and groups are no objects. */
export function bindingReferences(object: KubeObject): Reference[] {
  const references: Reference[] = [];
  const namespace = object.metadata.namespace ?? "";
  const role = fieldsAt(object, "roleRef");
  const [kind, name] = [textAt(role, "kind"), textAt(role, "name")];
  if (kind !== "" && name !== "") {
    const group = "rbac.authorization.k8s.io";
    const key = { group, kind, namespace: namespaceFor(group, kind, namespace), name };
    // Roles of the cluster are seen by few, and those of Kubernetes itself are always there.
    references.push(referenceByName("rb-role", "roleRef", { key, soft: kind !== "Role" }));
  }
  for (const [index, subject] of listAt(object, "subjects").entries()) {
    if (textAt(subject, "kind") !== "ServiceAccount") continue;
    const key = { group: "", kind: "ServiceAccount", namespace: textAt(subject, "namespace") || namespace, name: textAt(subject, "name") };
    references.push(referenceByName("rb-subject", `subjects[${index}]`, { key, soft: true }));
  }
  return references;
}

const ACCOUNT = "kubernetes.io/service-account.name";

/**
 * Secret → the ServiceAccount whose token it holds. It goes by uid: a token of the predecessor of the same name is worthless.
 * Where Secrets are read as metadata only, their type is not known, and the annotations, which Kubernetes writes, suffice.
 */
export function secretReferences(object: KubeObject): Reference[] {
  const name = textAt(object.metadata.annotations, ACCOUNT);
  const type = object["type"];
  if (name === "" || (type !== undefined && type !== "kubernetes.io/service-account-token")) return [];
  const uid = textAt(object.metadata.annotations, "kubernetes.io/service-account.uid");
  const key = { group: "", kind: "ServiceAccount", namespace: object.metadata.namespace ?? "", name };
  return [referenceByUid("sa-token", `metadata.annotations[${ACCOUNT}]`, { uid, key })];
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
    const group = textAt(issuer, "group") || groupOf(object.apiVersion);
    const key = { group, kind, namespace: namespaceFor(group, kind, namespace), name };
    references.push(referenceByName("cert", "spec.issuerRef", { key }));
  }
  return references;
}
