import { fieldsAt, textAt, type KubeObject } from "@binnacle/kube";

/** Types of Secrets that a program writes for itself. */
const GENERATED_TYPES: ReadonlySet<string> = new Set(["kubernetes.io/service-account-token", "helm.sh/release.v1"]);
/** Annotations that the writer of a Secret leaves on it; the Secret may have been read as metadata only, without its type. */
const WRITERS = ["kubernetes.io/service-account.name", "cert-manager.io/certificate-name"];
/** Name of the Secret in which Helm keeps a revision of a release. */
const HELM_RELEASE = /^sh\.helm\.release\.v1\..+\.v\d+$/;

/** What shows whether a Secret was written by a program. */
export interface SecretNode {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Id of the owner; empty for a root. */
  readonly ownerId: string;
  /** `type` of the Secret, where it is known. */
  readonly type?: string;
  /** Set by a caller that has the object; see `isGeneratedSecret`. */
  readonly generated?: boolean;
}

/**
 * Whether a node is a Secret that was not written by hand: a service-account token, a release of Helm, or one that has an owner.
 * A known type outweighs the name: an Opaque Secret that is called like a release is not one.
 */
export function isGeneratedSecretNode(node: SecretNode): boolean {
  if (node.kind !== "Secret" || node.group !== "") return false;
  if (node.generated === true || node.ownerId !== "") return true;
  return node.type === undefined || node.type === "" ? HELM_RELEASE.test(node.name) : GENERATED_TYPES.has(node.type);
}

/**
 * Whether a Secret was written by a program, by the object itself: its type, an owner that controls it, or the annotations of
 * the token controller and of cert-manager. Never throws on odd shapes.
 */
export function isGeneratedSecret(object: KubeObject): boolean {
  if (object.kind !== "Secret" || object.apiVersion !== "v1") return false;
  const owners: unknown = object.metadata.ownerReferences;
  const ownerId = Array.isArray(owners) && owners.length > 0 ? "owner" : "";
  const { name } = object.metadata;
  if (isGeneratedSecretNode({ group: "", kind: "Secret", name, ownerId, type: textAt(object, "type") })) return true;
  const annotations = fieldsAt(object.metadata, "annotations");
  return WRITERS.some((key) => textAt(annotations, key) !== "");
}
