import type { ManagedBy } from "@binnacle/graph";
import type { ObjectKey } from "@binnacle/kube";

/** Tools whose own objects say how a sync stands. */
export type DeployingTool = "flux-kustomization" | "flux-helmrelease" | "argocd";

/** A tool that marks objects of an environment as its own, and how many bear the mark themselves. */
export interface Deployer {
  readonly tool: DeployingTool;
  /** As the mark says it. */
  readonly name: string;
  readonly objects: number;
}

const KINDS = {
  "flux-kustomization": { group: "kustomize.toolkit.fluxcd.io", kind: "Kustomization" },
  "flux-helmrelease": { group: "helm.toolkit.fluxcd.io", kind: "HelmRelease" },
  argocd: { group: "argoproj.io", kind: "Application" },
} as const satisfies Record<DeployingTool, Pick<ObjectKey, "group" | "kind">>;

/** Where Argo CD lives unless somebody has moved it: its marks leave that namespace out. */
const ARGO_NAMESPACES = ["argocd", "openshift-gitops"];

/** Whether a mark is of one of these tools. */
export function isDeployingTool(tool: ManagedBy["tool"]): tool is DeployingTool {
  return Object.hasOwn(KINDS, tool);
}

/** Group and kind of a tool's object. */
export function kindOfTool(tool: DeployingTool): Pick<ObjectKey, "group" | "kind"> {
  return KINDS[tool];
}

/**
 * Where the object of a tool may stand, the likeliest place first; none when the mark names nothing that could be an object.
 *
 * @param seenIn namespaces in which objects of that kind and name are in sight, for marks that leave the namespace out
 */
export function placesOf({ tool, name }: Deployer, seenIn: (name: string) => readonly string[]): readonly ObjectKey[] {
  // Argo CD writes "namespace_name" for an Application outside of its own namespace.
  const at = name.indexOf(tool === "argocd" ? "_" : "/");
  const [namespace, plain] = at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
  if (!isName(plain) || (namespace !== "" && !isName(namespace)) || (namespace === "" && tool !== "argocd")) return [];
  if (namespace !== "") return [{ ...KINDS[tool], namespace, name: plain }];
  const seen = seenIn(plain);
  // Of several that are called so nobody can say which is meant.
  const namespaces = seen.length === 1 ? seen : ARGO_NAMESPACES;
  return namespaces.map((each) => ({ ...KINDS[tool], namespace: each, name: plain }));
}

/** Anybody may write a mark; what names no object is not asked for. */
function isName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text);
}
