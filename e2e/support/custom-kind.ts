import { expect } from "@playwright/test";

import { kubectl, runKubectl } from "./kubectl.ts";

/** A namespaced custom kind with a status subresource. */
export interface CustomKind {
  readonly group: string;
  readonly kind: string;
  /** Plural name, lower case. */
  readonly plural: string;
}

/**
 * Defines kinds that every viewer may read, and waits until they are served: a server begins a moment after it says so.
 *
 * @returns takes them away again, with their objects
 */
export async function defineKinds(kubeconfig: string, kinds: readonly CustomKind[]): Promise<() => Promise<void>> {
  const names = kinds.map(({ group, plural }) => `${plural}.${group}`);
  await kubectl(kubeconfig, ["apply", "-f", "-"], kinds.map(definitionOf).join("---\n"));
  for (const name of names) {
    await kubectl(kubeconfig, ["wait", "--for=condition=Established", `crd/${name}`]);
    await expect.poll(async () => (await runKubectl(kubeconfig, ["get", name, "--all-namespaces"])).code).toBe(0);
  }
  return async () => {
    for (const name of names) await kubectl(kubeconfig, ["delete", `crd/${name}`, `clusterrole/${name}-viewer`]);
  };
}

/** Manifests of a CustomResourceDefinition, and of the role that lets every viewer read its objects. */
function definitionOf({ group, kind, plural }: CustomKind): string {
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
      subresources: { status: {} }
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
