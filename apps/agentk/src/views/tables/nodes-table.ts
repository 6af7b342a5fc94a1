import { toBinary, create } from "@bufbuild/protobuf";
import { apiCodeOf, KubeClientError, Throttle, type KubeClient, type ViewTable } from "@binnacle/environment-view";
import { type KubeObject, type ResourceKind, fieldsAt, listAt, quantityOf, textAt } from "@binnacle/kube";
import { PublishedTable } from "@binnacle/replica";
import { NodeSummarySchema, ViewGap, type NodeSummary, NodeResourcesSchema, type NodeResources } from "@binnacle/proto/kas-views";
import { timeField } from "@binnacle/proto/wire-values";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

/** A change is published at once; where nodes report all the time, once a second. */
const LIMITS = { intervalMs: 1_000, burst: 2, gapMs: 20 };
/** Interval of retries where the viewer may not read nodes: rights come and go. */
const REFUSED_MS = 60_000;
const SUMMARY = "summary";

/** The nodes of a cluster as one viewer may read them, until it is closed. */
export function openNodesTable(client: KubeClient, clock: Clock): ViewTable {
  const nodes = new NodesTable(client, clock);
  const stop = new AbortController();
  void nodes.run(stop.signal);
  return { table: nodes.table, close: () => stop.abort() };
}

class NodesTable {
  readonly table = new PublishedTable();
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #throttle: Throttle;
  readonly #nodes = new Map<string, KubeObject>();
  #gap: ViewGap = ViewGap.LOADING;
  #staleSinceMs: number | undefined;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    this.#throttle = new Throttle(clock, LIMITS, () => this.#tell());
    this.#tell();
  }

  /** Works until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff({ initialMs: 250, maxMs: 30_000 });
    while (!signal.aborted) {
      try {
        await this.#follow(backoff, signal);
      } catch (error) {
        if (signal.aborted) break;
        const isRefused = apiCodeOf(error) === 403;
        if (isRefused) this.#forget(ViewGap.FORBIDDEN);
        else this.#doubt(error);
        await sleep(this.#clock, isRefused ? REFUSED_MS : backoff.nextMs(), signal);
      }
    }
    this.#throttle.stop();
  }

  async #follow(backoff: Backoff, signal: AbortSignal): Promise<void> {
    const kind = await this.#kind(signal);
    const found = new Map<string, KubeObject>();
    let isWhole = false;
    const events = this.#client.stream?.({ kind, namespace: "", metadataOnly: false }, signal) ?? [];
    for await (const event of events) {
      const nodes = isWhole ? this.#nodes : found;
      if (event.type === "ADDED" || event.type === "MODIFIED") nodes.set(event.object.metadata.name, event.object);
      else if (event.type === "DELETED") nodes.delete(event.object.metadata.name);
      else if (event.type === "ERROR") throw new KubeClientError("api", event.status.message, { status: event.status });
      else if (event.type === "BOOKMARK" && event.initialEventsEnd) {
        this.#nodes.clear();
        for (const [name, node] of found) this.#nodes.set(name, node);
        isWhole = true;
        backoff.reset();
        [this.#gap, this.#staleSinceMs] = [ViewGap.UNSPECIFIED, undefined];
      }
      if (isWhole) this.#throttle.ask();
    }
    if (!signal.aborted) throw new KubeClientError("connection", words("answer/watch-broken"));
  }

  async #kind(signal: AbortSignal): Promise<ResourceKind> {
    const found = await this.#client.discover(undefined, signal);
    const kind = found?.kinds.find(({ group, resource }) => group === "" && resource === "nodes");
    if (kind === undefined) throw new KubeClientError("connection", words("answer/no-nodes"));
    return kind;
  }

  #doubt(error: unknown): void {
    if (this.#gap !== ViewGap.UNSPECIFIED) this.#gap = apiCodeOf(error) === undefined ? ViewGap.LOADING : ViewGap.FAILED;
    else this.#staleSinceMs ??= this.#clock.now();
    this.#throttle.ask();
  }

  #forget(gap: ViewGap): void {
    this.#nodes.clear();
    [this.#gap, this.#staleSinceMs] = [gap, undefined];
    this.#throttle.ask();
  }

  #tell(): void {
    const { stale, known } = { stale: this.#staleSinceMs, known: this.#gap === ViewGap.UNSPECIFIED };
    const summary: NodeSummary = {
      ...nodeSummaryOf(known ? this.#nodes.values() : []),
      gap: this.#gap,
      ...timeField("staleSince", stale),
    };
    // Nothing is published before something is known.
    if (this.#gap === ViewGap.LOADING) this.table.remove(SUMMARY);
    else this.table.put(SUMMARY, toBinary(NodeSummarySchema, summary));
    this.table.announce();
  }
}

/** What the nodes of a cluster are together, without their names. */
function nodeSummaryOf(nodes: Iterable<KubeObject>): NodeSummary {
  const summary = create(NodeSummarySchema, { capacity: {}, allocatable: {} });
  const [capacity, allocatable] = [create(NodeResourcesSchema), create(NodeResourcesSchema)];
  const versions = new Map<string, number>();
  for (const node of nodes) {
    const status = fieldsAt(node, "status");
    const isReady = listAt(status, "conditions").some((each) => textAt(each, "type") === "Ready" && textAt(each, "status") === "True");
    summary.count += 1;
    if (isReady) summary.ready += 1;
    if (fieldsAt(node, "spec")["unschedulable"] === true) summary.unschedulable += 1;
    add(capacity, fieldsAt(status, "capacity"));
    add(allocatable, fieldsAt(status, "allocatable"));
    const version = textAt(fieldsAt(status, "nodeInfo"), "kubeletVersion");
    versions.set(version, (versions.get(version) ?? 0) + 1);
  }
  const counted = Array.from(versions, ([version, count]) => ({ $typeName: "kas.v1.NodeVersion" as const, version, nodes: count }));
  const sorted = counted.toSorted((a, b) => b.nodes - a.nodes || (a.version < b.version ? -1 : 1));
  return { ...summary, capacity, allocatable, versions: sorted };
}

function add(sum: NodeResources, resources: Readonly<Record<string, unknown>>): void {
  sum.cpuMillis += wholeOf(resources["cpu"], 1_000);
  sum.memoryBytes += wholeOf(resources["memory"], 1);
  sum.pods += wholeOf(resources["pods"], 1);
}

/** What a cluster claims may be anything. */
function wholeOf(value: unknown, factor: number): bigint {
  const number = Math.round((quantityOf(value) ?? 0) * factor);
  return Number.isSafeInteger(number) && number > 0 ? BigInt(number) : 0n;
}
