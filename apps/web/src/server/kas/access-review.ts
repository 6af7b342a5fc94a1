import { KubeClientError, type KubeFailure } from "@binnacle/environment-view";
import { roleManifest } from "@binnacle/manifests";
import { words, type Words } from "@binnacle/words";
import { z } from "zod";

import type { KasKubeClient } from "./kas-kube-client.ts";

const PATH = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

const reviewSchema = z.object({
  status: z.object({ allowed: z.boolean(), reason: z.string().nullish(), evaluationError: z.string().nullish() }),
});

/** `resourceAttributes` of a SelfSubjectAccessReview. */
export interface AccessAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace: string;
  readonly name: string;
}

/** Whether the viewer has a right, with the words of the authorizer where it gives any. `not-known` comes with a reason and never counts as `allowed`. */
export type AccessReview =
  | { readonly right: "allowed"; readonly reason?: string }
  | { readonly right: "denied"; readonly reason?: string }
  | { readonly right: "not-known"; readonly why: Words; readonly failure?: KubeFailure };

/** Reviews a right of the viewer at the cluster. Rejects for bugs only. */
export async function reviewAccess(
  client: Pick<KasKubeClient, "json">,
  resourceAttributes: AccessAttributes,
  signal: AbortSignal,
): Promise<AccessReview> {
  const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { resourceAttributes } };
  try {
    const review = reviewSchema.safeParse(await client.json({ path: PATH, body }, signal)).data;
    if (!review) return { right: "not-known", why: words("answer/not-of-api") };
    const { allowed, reason, evaluationError } = review.status;
    const given = [reason, evaluationError].filter(Boolean).join("; ");
    const why = given === "" ? {} : { reason: given };
    return allowed ? { right: "allowed", ...why } : { right: "denied", ...why };
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    return { right: "not-known", why: error.words, failure: error.failure };
  }
}

/** A right that the viewer lacks, for people. */
export interface MissingRight {
  readonly words: Words;
  /** A Role with the rule. */
  readonly roleYaml: string;
}

/** The right that is missing where a review is `denied`. @param namespace empty: all namespaces */
export function missingRight(
  { group, resource, subresource = "" }: Pick<AccessAttributes, "group" | "resource" | "subresource">,
  verbs: readonly string[],
  namespace: string,
): MissingRight {
  const rule = subresource === "" ? resource : `${resource}/${subresource}`;
  return {
    words: words("action/may-not", { verb: verbs.join(", "), resource: rule, namespace }),
    roleYaml: roleManifest({ name: `binnacle-${verbs.join("-")}-${rule.replace("/", "-")}`, namespace }, [
      { group, resources: [rule], verbs },
    ]),
  };
}
