import { create } from "@bufbuild/protobuf";
import { Replica, type ReplicaChange } from "@binnacle/replica";
import { EnvironmentHealthSchema, type EnvironmentHealth, type Node } from "@binnacle/proto/dashboard";
import { boundedText, readMessage } from "@binnacle/proto/read-message";
import type { Clock } from "@binnacle/rpc";

import type { ViewConnection, ViewPosition } from "../stream/view-model.ts";
import { ViewState, type ViewSubscription } from "../stream/view-state.ts";
import { readComplete, readConnection, readSources } from "./read-entries.ts";
import { RemoteGraph } from "./remote-graph.ts";

const UTF8 = new TextDecoder();
/** Characters of the name of a view. */
const MAX_NAME = 200;

/**
 * A view that another program makes, from the entries in which it travels (docs/design/views.md "Entries"). It has numbers and versions of its
 * own: when the other begins anew, the old content stays until the new snapshot is complete, and subscribers receive only real differences.
 * Only other rights remove content at once.
 */
export class RemoteState {
  readonly #clock: Clock;
  readonly #state: ViewState;
  /** As the other has it. */
  readonly #replica = new Replica({ isComplete: readComplete });
  readonly #changes = this.#replica.table.open(() => {});
  readonly #graph: RemoteGraph;
  /** What is shown is of this view of the other. */
  #view = "";
  /** Since when the other is reading anew what is shown here. */
  #pendingSinceMs: number | undefined;
  #way: ViewConnection;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#way = { state: "connecting", sinceMs: clock.now() };
    this.#state = new ViewState(create(EnvironmentHealthSchema), this.#way, clock);
    this.#graph = new RemoteGraph(this.#state);
  }

  /** Identifies it for subscribers that resume. */
  get id(): string {
    return this.#state.id;
  }

  /** A complete snapshot was received. */
  get isComplete(): boolean {
    const { state } = this.#replica;
    return state === "complete" || state === "pending";
  }

  /** Nothing was received yet. */
  get isEmpty(): boolean {
    return this.#replica.table.size === 0;
  }

  /** What is shown, in numbers of the other. */
  nodes(): Iterable<Node> {
    return this.#graph.nodes();
  }

  /** As of `ViewState.open`. */
  open(ready: () => void, after?: ViewPosition): ViewSubscription {
    return this.#state.open(ready, after);
  }

  /**
   * Takes in what has changed, or a piece of it. What of it cannot be read is a gap.
   *
   * @returns whether the change is complete
   * @throws ChangeError
   */
  apply(change: ReplicaChange): boolean {
    if (!this.#replica.receive(change)) return false;
    const isPending = this.#replica.state === "pending";
    this.#pendingSinceMs = isPending ? (this.#pendingSinceMs ?? this.#clock.now()) : undefined;
    if (!isPending) this.#show();
    this.#settle();
    return true;
  }

  /** How the way to the other program is; `undefined`: well. */
  setWay(way: ViewConnection | undefined): void {
    this.#way = way ?? { state: "connected", sinceMs: this.#way.sinceMs };
    this.#settle();
  }

  /** Keeps nothing for who may come. */
  close(): void {
    this.#state.close();
  }

  #show(): void {
    const { table } = this.#replica;
    const value = table.get("view");
    const view = value === undefined ? "" : boundedText(UTF8.decode(value.subarray(0, MAX_NAME)));
    const isSame = view !== "" && view === this.#view;
    this.#view = view;
    const change = this.#changes.take();
    if (change === undefined) return;
    // In another view the same numbers are other nodes.
    const whole = isSame ? change : { ...change, reset: true, entries: table.entries() };
    this.#graph.put(whole, (key) => table.get(key));
    const keys = [...whole.removed, ...whole.entries.map(({ key }) => key)];
    if (whole.reset || keys.some((key) => key.startsWith("s/"))) this.#state.setSources(readSources(table));
    this.#state.setHealth(this.#health());
    this.#state.setComplete(this.isComplete);
  }

  /** The received health; partial when some of the content is not shown. */
  #health(): EnvironmentHealth {
    const value = this.#replica.table.get("health");
    const health =
      (value && readMessage(EnvironmentHealthSchema, value)) ?? create(EnvironmentHealthSchema, { partial: value !== undefined });
    return this.#graph.hasGaps ? { ...health, partial: true } : health;
  }

  #settle(): void {
    this.#state.setConnection(this.#connection());
    this.#state.announce();
  }

  #connection(): ViewConnection {
    if (this.#way.state !== "connected") return this.#way;
    if (this.#pendingSinceMs !== undefined) return { state: "reconnecting", sinceMs: this.#pendingSinceMs };
    return readConnection(this.#replica.table) ?? { state: "connecting", sinceMs: this.#way.sinceMs };
  }
}
