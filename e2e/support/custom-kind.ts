import { expect } from "@playwright/test";

import { kubectl, runKubectl } from "./kubectl.ts";

/** A namespaced custom kind. */
export interface CustomKind {
  readonly group: string;
  readonly kind: string;
  /** Plural name, lower case. */
  readonly plural: string;
  /** Whether its status is a subresource; absent = it is. */
  readonly hasStatusSubresource?: boolean;
}

/**
 * Defines kinds that every viewer may read, and waits until they are served: a server begins a moment after it says so.
 *
 * @returns takes them away again, with their objects
 */
export async function defineKinds(kubeconfig: string, kinds: readonly CustomKind[]): Promise<() => Promise<void>> {
  const names = kinds.map(({ group, plural }) => `${plural}.${group}`);
  await kubectl(kubeconfig, ["apply", "-f", "-"], kinds.map(definitionOf).join("---\n"));
  const definitions = names.map((name) => `crd/${name}`);
  await kubectl(kubeconfig, ["wait", "--for=condition=Established", ...definitions]);
  await expect.poll(async () => (await runKubectl(kubeconfig, ["get", names.join(","), "--all-namespaces"])).code).toBe(0);
  return async () => {
    await kubectl(kubeconfig, ["delete", ...definitions, ...names.map((name) => `clusterrole/${name}-viewer`)]);
  };
}

/** Manifests of a CustomResourceDefinition, and of the role that lets every viewer read its objects. */
function definitionOf({ group, kind, plural, hasStatusSubresource = true }: CustomKind): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.${group} }
spec:
  group: ${group}
  scope: Namespaced
  names: { kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {${hasStatusSubresource ? " status: {} " : ""}}
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ${plural}.${group}-viewer
  labels: { rbac.authorization.k8s.io/aggregate-to-view: "true" }
rules: [{ apiGroups: [${group}], resources: [${plural}], verbs: [get, list, watch] }]
`;
}
