import type { KubeObject } from "./kube-object.ts";
import { groupOf } from "./resource-kind.ts";

/** Names an object across versions and incarnations: group, kind, namespace (empty for cluster scope), name. */
export interface ObjectKey {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Key of an object. */
export function keyOf(object: KubeObject): ObjectKey {
  return {
    group: groupOf(object.apiVersion),
    kind: object.kind,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name,
  };
}

/** `group/kind/namespace/name`; none of the four may contain a slash, so the text is unique. */
export function encodeKey(key: ObjectKey): string {
  return `${key.group}/${key.kind}/${key.namespace}/${key.name}`;
}
