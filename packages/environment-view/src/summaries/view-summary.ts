import type { EnvironmentHealth, ManagedBy, Node } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { toWordsMessage } from "@binnacle/proto/words";

import { deployersOf, shownDeployers } from "../scope/deployer.ts";
import { changeOf, type ViewConnection, type ViewMessage, type ViewSource } from "../stream/view-model.ts";
import { countNode, runningImagesOf, sumOfCounts, workloadImagesOf, type NodeCounts, type WorkloadImages } from "./node-counts.ts";
import type { SummaryFacts } from "./summary-source.ts";

/** How often the scope is sampled when the view is not open any more. */
const SAMPLED_MS = 30_000;

/** The summary of a view that is open, kept from its messages: of every node only what is counted. */
export class ViewSummary {
  readonly #counts = new Map<number, NodeCounts>();
  /** Marks of tools on nodes. */
  readonly #marks = new Map<number, ManagedBy>();
  /** Images of workloads. */
  readonly #images = new Map<number, WorkloadImages>();
  /** Sources that count and do not tell when something changes. */
  readonly #notLive = new Set<string>();
  /** Kinds that count and fail now, by source: without them the others are shown as a part. */
  readonly #failing = new Map<string, string>();
  #health: EnvironmentHealth | undefined;
  #connection: ViewConnection | undefined;
  #complete = false;
  #asOfMs = 0;

  /** Takes in a message of the view. */
  apply(message: ViewMessage, nowMs: number): void {
    const { reset, nodes, sources, removedNodes, removedSources } = changeOf(message);
    if (reset) {
      this.#counts.clear();
      this.#marks.clear();
      this.#images.clear();
    }
    for (const id of removedNodes) {
      this.#counts.delete(id);
      this.#marks.delete(id);
      this.#images.delete(id);
    }
    for (const node of nodes) this.#putNode(node);
    for (const id of reset ? [...this.#notLive, ...this.#failing.keys()] : removedSources) this.#removeSource(id);
    for (const source of sources) this.#putSource(source);
    this.#health = message.health ?? this.#health;
    this.#connection = message.connection ?? this.#connection;
    this.#complete = message.complete ?? this.#complete;
    this.#asOfMs = nowMs;
  }

  /**
   * `undefined` while only a part is known (half of the kinds say nothing about the whole), while the agent does not answer, and while
   * a kind that counts is only sampled.
   */
  facts(): SummaryFacts | undefined {
    if (this.#connection?.state !== "connected" || this.#notLive.size > 0) return undefined;
    const known = this.lastFacts();
    return known && { ...known, health: partly(known.health, [...this.#failing.values()]), freshness: { kind: "live" } };
  }

  /** What was known last, however old; never as something that is followed. `undefined` while only a part was ever known. */
  lastFacts(): SummaryFacts | undefined {
    if (!this.#complete || this.#health === undefined) return undefined;
    const counts = sumOfCounts(this.#counts.values());
    const freshness = { kind: "sampled", everyMs: SAMPLED_MS } as const;
    const deployers = shownDeployers(deployersOf(this.#marks.values()));
    const images = runningImagesOf(this.#images.values());
    return { ...counts, deployers, images, health: this.#health, asOfMs: this.#asOfMs, freshness, workloadsOnly: false };
  }

  #putNode(node: Node): void {
    this.#counts.set(node.id, countNode(node));
    if (node.managedBy?.direct === true) this.#marks.set(node.id, node.managedBy);
    else this.#marks.delete(node.id);
    const images = workloadImagesOf(node);
    if (images === undefined) this.#images.delete(node.id);
    else this.#images.set(node.id, images);
  }

  #putSource({ id, kind, stale, countsForHealth }: ViewSource): void {
    this.#removeSource(id);
    if (!countsForHealth || stale === undefined) return;
    if (stale.cause === "error") this.#failing.set(id, kind);
    else this.#notLive.add(id);
  }

  #removeSource(id: string): void {
    this.#notLive.delete(id);
    this.#failing.delete(id);
  }
}

/** A line has no place for the age of each kind: what it says is without those that fail, and it names them. */
function partly(health: EnvironmentHealth, failing: readonly string[]): EnvironmentHealth {
  if (failing.length === 0) return health;
  const message = health.words && fromWordsMessage(health.words);
  const unknown = [...new Set(failing)].toSorted();
  return { ...health, partial: true, ...(message && { words: toWordsMessage({ ...message, facts: { ...message.facts, unknown } }) }) };
}
