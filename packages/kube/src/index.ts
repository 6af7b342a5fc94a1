export type { Json, KubeObject, ObjectMeta, OwnerReference } from "./kube-object.ts";
export { encodeKey, keyOf, type ObjectKey } from "./object-key.ts";
export { apiVersionOf, groupOf, versionOf, type ResourceKind } from "./resource-kind.ts";
