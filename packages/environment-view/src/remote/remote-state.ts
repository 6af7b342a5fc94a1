import { create, fromBinary } from "@bufbuild/protobuf";
import { LiveTable, type TableChange } from "@binnacle/live-table";
import { EdgeSchema, EnvironmentHealthSchema, NodeSchema, type Edge, type Node } from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";

import type { ViewConnection, ViewPosition, ViewSource } from "../view-model.ts";
import { ViewState, type ViewSubscription } from "../view-state.ts";

const UTF8 = new TextDecoder();

/** What an other program may say of a view beside its entries. */
export interface RemoteChange extends TableChange {
  /** With a reset: names what may be read. */
  readonly rights?: string;
}

/**
 * A view that another program makes, from the entries in which it travels (docs/design/views.md "Entries"). It has numbers and versions of its
 * own: when the other begins anew, what was there stays until the new picture is whole, and only what is really another is news to whoever
 * follows this one. Only other rights take away at once.
 */
export class RemoteState {
  readonly #clock: Clock;
  readonly #state: ViewState;
  /** As the other has it. */
  readonly #table = new LiveTable();
  readonly #changes = this.#table.open(() => {});
  /** What the other calls by a number. */
  readonly #nodes = new Map<number, string>();
  readonly #shown = new Map<string, Node>();
  readonly #edges = new Map<number, string>();
  #rights: string | undefined;
  /** What is shown is of this view of the other. */
  #view = "";
  #isComplete = false;
  /** Since when the other is reading anew what is shown here. */
  #heldSinceMs: number | undefined;
  #way: ViewConnection;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#way = { state: "connecting", sinceMs: clock.now() };
    this.#state = new ViewState(create(EnvironmentHealthSchema), this.#way, clock);
  }

  /** Names it for whoever takes up where he was. */
  get id(): string {
    return this.#state.id;
  }

  /** Everything there is was told once. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Nothing was told yet. */
  get isEmpty(): boolean {
    return this.#table.size === 0;
  }

  /** What is shown, in numbers of the other. */
  nodes(): Iterable<Node> {
    return this.#shown.values();
  }

  /** As of `ViewState.open`. */
  open(ready: () => void, after?: ViewPosition): ViewSubscription {
    return this.#state.open(ready, after);
  }

  /** Takes in what has changed. @throws Error when it is no view */
  apply(change: RemoteChange): void {
    const isOther = change.reset && change.rights !== this.#rights;
    if (change.reset) this.#rights = change.rights;
    this.#table.apply(change);
    const complete = this.#table.get("complete");
    const isFilling = complete === undefined || decoded(complete) !== true;
    const isHeld = isFilling && this.#isComplete && !isOther;
    this.#heldSinceMs = isHeld ? (this.#heldSinceMs ?? this.#clock.now()) : undefined;
    if (!isHeld) {
      this.#isComplete = !isFilling;
      this.#show();
    }
    this.#settle();
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
    const view = this.#table.get("view");
    const isSame = view !== undefined && UTF8.decode(view) === this.#view;
    this.#view = view === undefined ? "" : UTF8.decode(view);
    const change = this.#changes.take();
    if (change === undefined) return;
    // In another view the same numbers are other nodes.
    this.#put(isSame ? change : { ...change, reset: true, entries: this.#table.entries() });
    const health = this.#table.get("health");
    this.#state.setHealth(health === undefined ? create(EnvironmentHealthSchema) : fromBinary(EnvironmentHealthSchema, health));
    this.#state.setComplete(this.#isComplete);
  }

  #put(change: TableChange): void {
    const before = change.reset ? this.#forget() : NOTHING;
    for (const key of change.removed) this.#remove(key);
    const { nodes, edges } = this.#read(change);
    const names = new Set(nodes.map(({ name }) => name));
    const edgeNames = new Set(edges.map(({ name }) => name));
    for (const name of before.edges) if (!edgeNames.has(name)) this.#state.removeEdge(name);
    for (const name of before.nodes) if (!names.has(name)) this.#removeNode(name);
    this.#leaveBehind(nodes, edges);
    for (const { node, name } of nodes) {
      this.#shown.set(name, node);
      this.#state.putNode(this.#renumbered(node, name));
    }
    for (const { edge, name } of edges) this.#putEdge(edge, name);
  }

  /** What was created anew while nobody told is another: it gets other numbers, and so do its edges. */
  #leaveBehind(nodes: readonly NamedNode[], edges: readonly { readonly edge: Edge; readonly name: string }[]): void {
    const again = new Set(nodes.filter(({ node, name }) => isAnother(this.#shown.get(name), node)).map(({ name }) => name));
    if (again.size === 0) return;
    const isOfThem = (number: number): boolean => again.has(this.#nodes.get(number) ?? "");
    for (const { edge, name } of edges) if (isOfThem(edge.from) || isOfThem(edge.to)) this.#state.removeEdge(name);
    for (const name of again) this.#removeNode(name);
  }

  #settle(): void {
    this.#state.setConnection(this.#connection());
    this.#state.announce();
  }

  #connection(): ViewConnection {
    if (this.#way.state !== "connected") return this.#way;
    if (this.#heldSinceMs !== undefined) return { state: "reconnecting", sinceMs: this.#heldSinceMs };
    const said = this.#table.get("connection");
    // The same program has written it: both name the same engine.
    return said === undefined ? { state: "connecting", sinceMs: this.#way.sinceMs } : (decoded(said) as ViewConnection);
  }

  /** The other begins anew. @returns names of what is shown */
  #forget(): { readonly nodes: readonly string[]; readonly edges: readonly string[] } {
    const shown = { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()] };
    this.#nodes.clear();
    this.#edges.clear();
    return shown;
  }

  #remove(key: string): void {
    const [kind, number] = [key.slice(0, 2), Number(key.slice(2))];
    const name = kind === "n/" ? this.#nodes.get(number) : kind === "e/" ? this.#edges.get(number) : undefined;
    if (name === undefined) return;
    if (kind === "n/") {
      this.#nodes.delete(number);
      this.#removeNode(name);
    } else {
      this.#edges.delete(number);
      this.#state.removeEdge(name);
    }
  }

  #removeNode(name: string): void {
    this.#shown.delete(name);
    this.#state.removeNode(name);
  }

  /** Decodes; nodes are known before anything refers to them. */
  #read({ entries, removed }: TableChange): {
    readonly nodes: readonly NamedNode[];
    readonly edges: readonly { readonly edge: Edge; readonly name: string }[];
  } {
    const [nodes, edges] = [[] as { node: Node; name: string }[], [] as Edge[]];
    for (const { key, value } of entries) {
      if (key.startsWith("n/")) {
        const node = fromBinary(NodeSchema, value);
        const name = nameOf(node);
        this.#nodes.set(node.id, name);
        nodes.push({ node, name });
      } else if (key.startsWith("e/")) {
        edges.push(fromBinary(EdgeSchema, value));
      }
    }
    const named = edges.map((edge) => ({ edge, name: this.#nameOfEdge(edge) }));
    for (const { edge, name } of named) this.#edges.set(edge.id, name);
    if ([...removed, ...entries.map(({ key }) => key)].some((key) => key.startsWith("s/"))) this.#state.setSources(this.#sources());
    return { nodes, edges: named };
  }

  #sources(): ViewSource[] {
    return this.#table
      .entries()
      .filter(({ key }) => key.startsWith("s/"))
      .map(({ value }) => decoded(value) as ViewSource);
  }

  #renumbered(node: Node, name: string): Node {
    const { nodes } = this.#state.numbers;
    const owner = this.#nodes.get(node.ownerId);
    return { ...node, id: nodes.of(name), ownerId: owner === undefined ? 0 : nodes.of(owner) };
  }

  #putEdge(edge: Edge, name: string): void {
    const { nodes, edges } = this.#state.numbers;
    const [from, to] = [edge.from, edge.to].map((number) => nodes.of(this.#nodes.get(number) ?? "")) as [number, number];
    this.#state.putEdge({ ...edge, id: edges.of(name), from, to });
  }

  #nameOfEdge({ from, kind, to }: Edge): string {
    return `${this.#nodes.get(from)} ${kind} ${this.#nodes.get(to)}`;
  }
}

const NOTHING = { nodes: [], edges: [] } as const;

interface NamedNode {
  readonly node: Node;
  readonly name: string;
}

/** Two objects of one name. What is only referred to was never created. */
function isAnother(before: Node | undefined, { createdAt: after }: Node): boolean {
  return before?.createdAt !== undefined && after !== undefined && before.createdAt.seconds !== after.seconds;
}

function nameOf({ ref }: Node): string {
  return `${ref?.group}/${ref?.kind}/${ref?.namespace}/${ref?.name}`;
}

function decoded(value: Uint8Array): unknown {
  return JSON.parse(UTF8.decode(value));
}
