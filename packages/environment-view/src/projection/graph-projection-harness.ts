import type { KindAccessEntry } from "@binnacle/graph";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import type { EnvironmentHealth } from "@binnacle/proto/dashboard";

import type { ViewScope } from "../scope/view-scope.ts";
import { ViewState } from "../stream/view-state.ts";
import { ViewReader, type ReadEdge, type ReadNode } from "../stream/view-reader.ts";
import { inWords, type InWords } from "../stream/in-words.ts";
import { EventIndex } from "../nodes/event-index.ts";
import { GraphProjection } from "./graph-projection.ts";
import { object } from "../testing/made-objects.ts";

const START_MS = Date.parse("2026-01-01T00:00:00Z");

/** A projection under a hand-moved clock, and what a view would have of it. */
export class Bench {
  nowMs = START_MS;
  readonly state: ViewState;
  readonly projection: GraphProjection;

  constructor(scope: ViewScope = { namespaces: ["app"] }, events = new EventIndex()) {
    this.projection = new GraphProjection({
      scope,
      now: () => this.nowMs,
      events,
      rules: undefined,
      isWhole: () => true,
      customEdges: [],
      changed: () => {},
    });
    this.state = new ViewState(this.projection.health([]), { state: "connected", sinceMs: 0 });
  }

  show(...objects: readonly KubeObject[]): void {
    for (const object of objects) this.projection.upsert(object);
    this.projection.flush(this.state);
  }

  get health(): InWords<EnvironmentHealth> {
    return inWords(this.projection.health([]));
  }

  /** By name, and what is not there by its whole name. */
  get nodes(): ReadonlyMap<string, ReadNode> {
    const titleOf = (node: ReadNode | undefined): string => (node?.presence === "present" ? node.ref.name : (node?.id ?? ""));
    const { nodes } = this.#read();
    return new Map([...nodes.values()].map((node) => [titleOf(node), { ...node, ownerId: titleOf(nodes.get(node.ownerId)) }]));
  }

  get edges(): readonly ReadEdge[] {
    return [...this.#read().edges.values()];
  }

  #read(): ViewReader {
    const reader = new ViewReader();
    const subscription = this.state.open(() => {});
    const message = subscription.take();
    subscription.close();
    if (message?.kind !== "snapshot") throw new Error("a subscription begins with a snapshot");
    reader.take(message);
    return reader;
  }
}

export function pod(name: string, ready: boolean): KubeObject {
  const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
  return { ...object("v1", "Pod", name), spec: { restartPolicy: "Always" }, status: { phase: "Running", conditions } };
}

export function mounting(name: string, configMap: string): KubeObject {
  return { ...pod(name, true), spec: { volumes: [{ name: "v", configMap: { name: configMap } }] } };
}

export function kind(id: string): ResourceKind {
  const [group = "", name = ""] = id.split("/");
  return {
    group,
    version: "v1",
    kind: name,
    resource: `${name.toLowerCase()}s`,
    namespaced: true,
    verbs: ["list"],
    subresources: ["status"],
    shortNames: [],
  };
}

export function synced(...ids: readonly string[]): KindAccessEntry[] {
  return ids.map((id) => ({ ...kind(id), access: "synced" as const }));
}
