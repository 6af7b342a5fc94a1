import { HttpKubeClient, type KubeTransport } from "@binnacle/environment-view";
import { fieldsAt, isFields, parseRulesReview, type NamespaceRules, type ResourceKind } from "@binnacle/kube";

const GROUP = "authorization.k8s.io/v1";

/** The subject of a review: a kind in a namespace, or everything. */
export interface RequestedAccess {
  readonly verb: "list" | "get";
  /** `undefined`: all kinds. */
  readonly kind: ResourceKind | undefined;
  /** Empty for all namespaces, and for cluster scope. */
  readonly namespace: string;
}

/** Reviews of a viewer's rights by the API server. Every method throws a KubeClientError when there is no answer. */
export interface AccessReviews {
  /** What the viewer may do in a namespace. */
  rules(namespace: string, signal: AbortSignal): Promise<NamespaceRules>;
  /** Whether the viewer has the access. */
  may(access: RequestedAccess, signal: AbortSignal): Promise<boolean>;
}

/** @param transport impersonates the viewer whose rights are reviewed */
export function accessReviewsVia(transport: KubeTransport): AccessReviews {
  const client = new HttpKubeClient(transport);
  const ask = (kind: string, spec: unknown, signal: AbortSignal): Promise<unknown> =>
    client.json({ path: `/apis/${GROUP}/${kind.toLowerCase()}s`, body: { apiVersion: GROUP, kind, spec }, proof: true }, signal);
  return {
    rules: async (namespace, signal) => parseRulesReview(await ask("SelfSubjectRulesReview", { namespace }, signal)),
    may: async ({ verb, kind, namespace }, signal) => {
      const resource = kind === undefined ? { group: "*", resource: "*" } : { group: kind.group, resource: kind.resource };
      const answer = await ask("SelfSubjectAccessReview", { resourceAttributes: { verb, namespace, ...resource } }, signal);
      return isFields(answer) && fieldsAt(answer, "status")["allowed"] === true;
    },
  };
}
