import type { ObjectKey } from "@binnacle/kube";
import type { ManagedBy } from "@binnacle/proto/dashboard";

/** Tools whose own objects say how a sync stands. */
export type DeployingTool = "flux-kustomization" | "flux-helmrelease" | "argocd";

/** A tool that marks objects of an environment as its own, and how many bear the mark themselves. */
export interface Deployer {
  readonly tool: DeployingTool;
  /** As the mark says it. */
  readonly name: string;
  readonly objects: number;
}

/** The tools that deploy to one scope, as far as their own objects have a name. */
export interface Deployers {
  /** Those with most objects first. */
  readonly tools: readonly Deployer[];
  /** Further ones, which are not read. */
  readonly more: number;
}

/** A mark on an object, or on one that owns it. */
type Mark = Pick<ManagedBy, "tool" | "name" | "direct">;

/** Tools of one scope that are shown. */
const MAX_TOOLS = 20;

const KINDS = {
  "flux-kustomization": { group: "kustomize.toolkit.fluxcd.io", kind: "Kustomization" },
  "flux-helmrelease": { group: "helm.toolkit.fluxcd.io", kind: "HelmRelease" },
  argocd: { group: "argoproj.io", kind: "Application" },
} as const satisfies Record<DeployingTool, Pick<ObjectKey, "group" | "kind">>;

/** The default namespace of Argo CD: its marks leave that namespace out. */
const ARGO_NAMESPACES = ["argocd", "openshift-gitops"];

/** Whether a mark is of one of these tools. */
export function isDeployingTool(tool: string): tool is DeployingTool {
  return Object.hasOwn(KINDS, tool);
}

/** The tools of marks that objects bear themselves. */
export function deployersOf(marks: Iterable<Mark | undefined>): readonly Deployer[] {
  const deployers = new Map<string, Deployer>();
  for (const mark of marks) {
    if (mark?.direct !== true || !isDeployingTool(mark.tool)) continue;
    const { tool, name } = mark;
    const key = `${tool} ${name}`;
    deployers.set(key, { tool, name, objects: (deployers.get(key)?.objects ?? 0) + 1 });
  }
  return [...deployers.values()];
}

/** Those that are shown, in their order. */
export function shownDeployers(deployers: readonly Deployer[]): Deployers {
  const placed = deployers
    .filter((each) => placesOf(each, () => []).length > 0)
    .toSorted((a, b) => b.objects - a.objects || compareText(a.tool, b.tool) || compareText(a.name, b.name));
  return { tools: placed.slice(0, MAX_TOOLS), more: Math.max(0, placed.length - MAX_TOOLS) };
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
  // Of several with this name it is unknown which one is meant.
  const namespaces = seen.length === 1 ? seen : ARGO_NAMESPACES;
  return namespaces.map((each) => ({ ...KINDS[tool], namespace: each, name: plain }));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A mark may have any text; one that names no object is not read. */
function isName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text);
}
