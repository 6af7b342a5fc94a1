import { listAt, textAt, type KubeObject } from "@binnacle/kube";

import type { FieldPath } from "../field-path.ts";
import { referenceByName, type Reference } from "../reference.ts";
import { podNeeds } from "./pod-spec.ts";

/**
 * What the pods of a workload will need, pods or no pods.
 *
 * @param spec of its pod template
 * @param path where that stands
 */
export function podSpecNeeds(object: KubeObject, spec: unknown, path: FieldPath): Reference[] {
  const namespace = object.metadata.namespace ?? "";
  const references = podNeeds(spec, path, { namespace, edges: EDGES });
  references.push(...pullSecretReferences(spec, `${path.text}.imagePullSecrets`, namespace));
  const account = textAt(spec, "serviceAccountName");
  if (account !== "" && account !== "default") {
    const key = { group: "", kind: "ServiceAccount", namespace, name: account };
    references.push(referenceByName("tmpl-mount", `${path.text}.serviceAccountName`, { key, soft: true }));
  }
  return references;
}

/** Secrets that images are pulled with: those that are not there are no fault, as images may be public. */
export function pullSecretReferences(parent: unknown, path: string, namespace: string): readonly Reference[] {
  const secrets = listAt(parent, "imagePullSecrets");
  return secrets.length === 0
    ? NOTHING
    : secrets.flatMap((secret, index) => {
        const name = textAt(secret, "name");
        if (name === "") return [];
        return [
          referenceByName("pod-pullsecret", `${path}[${index}].name`, { key: { group: "", kind: "Secret", namespace, name }, soft: true }),
        ];
      });
}

const EDGES = {
  ConfigMap: "tmpl-mount",
  Secret: "tmpl-mount",
  PersistentVolumeClaim: "tmpl-mount",
  ResourceClaim: "tmpl-mount",
  ResourceClaimTemplate: "tmpl-mount",
  SecretProviderClass: "tmpl-mount",
} as const;

const NOTHING: readonly never[] = Object.freeze([]);
