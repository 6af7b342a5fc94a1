interface DrawnNode {
  readonly id: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly ownerId: string;
  readonly presence: "present";
  readonly status: number;
  readonly superseded: boolean;
  readonly generated: boolean;
}

interface DrawnEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly style: "owns" | "routes" | "uses";
  readonly kind: string;
  readonly paths: readonly string[];
}

/** A world as the layout of the page is given it. */
export interface DrawnWorld {
  readonly nodes: ReadonlyMap<string, DrawnNode>;
  readonly edges: ReadonlyMap<string, DrawnEdge>;
}

const PODS = 3;

/** Applications of a Deployment, its ReplicaSet and Pods, a Service and a ConfigMap, until there are so many resources; every tenth uses the configuration of another. */
export function drawnWorld(resources: number): DrawnWorld {
  const nodes = new Map<string, DrawnNode>();
  const edges = new Map<string, DrawnEdge>();
  const node = (kind: string, name: string, ownerId = ""): string => {
    const id = `${kind}/${name}`;
    const fixed = { group: "", namespace: "load", presence: "present", status: 1, superseded: false, generated: false } as const;
    nodes.set(id, { id, kind, name, ownerId, ...fixed });
    return id;
  };
  const edge = (source: string, target: string, style: DrawnEdge["style"]): void => {
    const id = `${source}>${target}`;
    edges.set(id, { id, source, target, style, kind: "bench", paths: [] });
  };
  for (let app = 0; nodes.size + PODS + 4 <= resources; app += 1) {
    const name = `app-${app}`;
    const deployment = node("Deployment", name);
    const replicaSet = node("ReplicaSet", name, deployment);
    const service = node("Service", name);
    const config = node("ConfigMap", name);
    edge(deployment, replicaSet, "owns");
    edge(deployment, config, "uses");
    if (app % 10 === 9) edge(deployment, `ConfigMap/app-${app - 9}`, "uses");
    for (let index = 0; index < PODS; index += 1) {
      const pod = node("Pod", `${name}-${index}`, replicaSet);
      edge(replicaSet, pod, "owns");
      edge(service, pod, "routes");
    }
  }
  return { nodes, edges };
}
