import type { GraphNode, ResourceGraph } from "@binnacle/graph";
import type { KubeObject, ObjectKey } from "@binnacle/kube";

import type { ManagerIndex } from "./manager-index.ts";
import type { ScopeFilter } from "./scope-filter.ts";
import { kindOfTool, type Deployer } from "../scope/deployer.ts";

const APPLICATION = kindOfTool("argocd");

/** Where the nodes are. */
interface DeployedNodesOptions {
  readonly graph: ResourceGraph;
  readonly managers: ManagerIndex;
  readonly filter: ScopeFilter;
}

/** The part of a graph that tools deploy, and their own objects as far as these are in sight. */
export class DeployedNodes {
  readonly #options: DeployedNodesOptions;
  /** Applications of Argo CD that are in sight. */
  readonly #applications = new Map<string, Pick<ObjectKey, "namespace" | "name">>();

  constructor(options: DeployedNodesOptions) {
    this.#options = options;
  }

  /** The tools that deploy what is shown. */
  deployers(): readonly Deployer[] {
    const { managers, filter } = this.#options;
    return managers.deployers((id) => filter.isShown(id));
  }

  /** An object that is in sight, shown or not. */
  objectOf(key: ObjectKey): KubeObject | undefined {
    const { graph } = this.#options;
    const id = graph.findTarget({ key, uid: "" });
    return id === undefined ? undefined : graph.node(id)?.object;
  }

  /** Namespaces in which Applications of this name are in sight: marks of Argo CD may leave the namespace out. */
  applicationsNamed(name: string): readonly string[] {
    return [...this.#applications.values()].filter((each) => each.name === name).map(({ namespace }) => namespace);
  }

  /** A node is as it is now. */
  upsert({ id, group, kind, namespace, name, object }: GraphNode): void {
    if (object !== undefined && kind === APPLICATION.kind && group === APPLICATION.group) this.#applications.set(id, { namespace, name });
    else this.#applications.delete(id);
  }

  remove(id: string): void {
    this.#applications.delete(id);
  }
}
