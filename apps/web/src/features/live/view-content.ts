import type { ConfigurationError, Delta, Edge, EnvironmentHealth, Node, Problem, Snapshot, Source } from "@binnacle/proto/dashboard";
import { SettledState } from "@binnacle/proto/dashboard-enums";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { LiveEdge, LiveNode } from "./live-node.ts";

interface Graph {
  readonly nodes: ReadonlyMap<string, LiveNode>;
  readonly edges: ReadonlyMap<string, LiveEdge>;
}

/** So long an older picture that was whole is shown in place of one that is being filled. */
const HOLD_MS = 15_000;

/**
 * What the server has sent of a picture that it is still filling. Until it is whole, what was shown before is better: half of the kinds
 * would look like a cluster from which the other half was deleted.
 */
export class ViewContent {
  /** By the number that their view gives them. */
  readonly nodes = new Map<number, Node>();
  readonly edges = new Map<number, Edge>();
  readonly sources = new Map<string, Source>();
  health: EnvironmentHealth | undefined;
  configurationError: ConfigurationError | undefined;
  empty: Problem | undefined;
  complete: boolean;
  /** Of when it is; absent: of now. */
  readonly asOf: Timestamp | undefined;
  readonly #sinceMs: number;

  constructor(snapshot: Snapshot, nowMs = 0) {
    for (const node of snapshot.nodes) this.nodes.set(node.id, node);
    for (const edge of snapshot.edges) this.edges.set(edge.id, edge);
    for (const source of snapshot.sources) this.sources.set(sourceKey(source), source);
    this.health = snapshot.health;
    this.configurationError = snapshot.configurationError;
    this.empty = snapshot.empty;
    this.complete = snapshot.complete;
    this.asOf = snapshot.asOf;
    this.#sinceMs = nowMs;
  }

  /** Whether it is shown now: it is whole, or it takes too long. */
  isDue(nowMs: number): boolean {
    return this.complete || nowMs - this.#sinceMs >= HOLD_MS;
  }

  patch(delta: Delta): void {
    for (const id of delta.removedNodes) this.nodes.delete(id);
    for (const node of delta.upsertedNodes) this.nodes.set(node.id, node);
    for (const id of delta.removedEdges) this.edges.delete(id);
    for (const edge of delta.upsertedEdges) this.edges.set(edge.id, edge);
    for (const key of delta.removedSources) this.sources.delete(key);
    for (const source of delta.upsertedSources) this.sources.set(sourceKey(source), source);
    this.health = delta.health ?? this.health;
    this.configurationError = delta.configurationErrorCleared ? undefined : (delta.configurationError ?? this.configurationError);
    this.complete ||= delta.complete;
    this.empty = delta.empty ?? (this.nodes.size > 0 ? undefined : this.empty);
  }

  /**
   * What of an older picture may still be there: nodes of kinds that have not answered in this one, and edges between what is left.
   * Nothing once it is whole. What has answered says by itself what there is.
   *
   * @param now this picture, by names
   */
  leftOf(before: Graph, now: Graph): { readonly nodes: LiveNode[]; readonly edges: LiveEdge[] } {
    if (this.complete) return { nodes: [], edges: [] };
    const nodes = [...before.nodes.values()].filter((node) => !now.nodes.has(node.id) && !this.#isSettled(node));
    const there = new Set([...now.nodes.keys(), ...nodes.map(({ id }) => id)]);
    const edges = [...before.edges.values()].filter((edge) => !now.edges.has(edge.id) && there.has(edge.from) && there.has(edge.to));
    return { nodes, edges };
  }

  /** Whether the kind of a node may not be seen any more. */
  isForbidden(node: Pick<Node, "ref">): boolean {
    return sourcesOf(this.sources, node).some(({ settled }) => settled === SettledState.FORBIDDEN);
  }

  #isSettled(node: Pick<Node, "ref">): boolean {
    const sources = sourcesOf(this.sources, node);
    return sources.length > 0 && sources.every(({ settled }) => settled !== SettledState.UNSPECIFIED);
  }
}

/** `group/resource/namespace`, as the server names sources that left. */
export function sourceKey(source: Pick<Source, "group" | "resource" | "namespace">): string {
  return `${source.group}/${source.resource}/${source.namespace}`;
}

/** The sources that a node may come from: the one of its namespace and the one of the whole cluster. */
export function sourcesOf(sources: ReadonlyMap<string, Source>, { ref }: Pick<Node, "ref">): Source[] {
  if (ref === undefined) return [];
  const { group, resource, namespace } = ref;
  const keys = new Set([sourceKey({ group, resource, namespace }), sourceKey({ group, resource, namespace: "" })]);
  return [...keys].flatMap((key) => sources.get(key) ?? []);
}
