import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { VIEW_ENGINE } from "@binnacle/environment-view";
import { JoinedChange, PublishedTable } from "@binnacle/replica";
import { EdgeSchema, NodeSchema } from "@binnacle/proto/dashboard";
import { ViewSpecSchema, ViewUpdateSchema, type ViewUpdate } from "@binnacle/proto/kas-views";
import { request, type Dispatcher } from "undici";

import type { BearerTarget } from "./bearer-request.ts";

/** The view of an environment that a user gets from the agent, through kas. */
export class AgentView {
  readonly table = new PublishedTable();
  /** Called after each change. */
  onChange: () => void = () => {};
  /** Bytes of the body so far. */
  bytes = 0;
  rights = "";
  readonly #change = new JoinedChange();
  #answer: Dispatcher.ResponseData | undefined;
  #rest = Buffer.alloc(0);

  /** @param namespace that it shows */
  static async open(target: BearerTarget, namespace: string): Promise<AgentView> {
    const view = new AgentView();
    const spec = create(ViewSpecSchema, {
      view: { case: "environment", value: { scope: { namespaces: [namespace] }, engine: VIEW_ENGINE } },
    });
    const answer = await request(`${target.server}/binnacle/v1/views`, {
      method: "POST",
      headers: { authorization: `Bearer ${target.token}`, "content-type": "application/protobuf" },
      body: toBinary(ViewSpecSchema, spec),
      bodyTimeout: 0,
      dispatcher: target.dispatcher,
    });
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${await answer.body.text()}`);
    view.#answer = answer;
    answer.body.on("data", (chunk: Buffer) => view.#take(chunk));
    answer.body.on("error", () => undefined);
    return view;
  }

  close(): void {
    this.#answer?.body.destroy();
  }

  get complete(): boolean {
    const value = this.table.get("complete");
    return value !== undefined && Buffer.from(value).toString() === "true";
  }

  /** "Kind/name" of what is there. */
  get present(): string[] {
    const nodes = this.table.entries().flatMap(({ key, value }) => (key.startsWith("n/") ? [fromBinary(NodeSchema, value)] : []));
    return nodes.flatMap(({ ref, presence }) => (presence === 1 && ref ? [`${ref.kind}/${ref.name}`] : [])).toSorted();
  }

  /** Names of nodes in the last change. */
  changed: readonly string[] = [];

  get edges(): number {
    return this.table.entries().filter(({ key, value }) => key.startsWith("e/") && fromBinary(EdgeSchema, value).kind !== "").length;
  }

  #take(chunk: Buffer): void {
    this.bytes += chunk.byteLength;
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 4 && this.#rest.length >= 4 + this.#rest.readUInt32BE(0)) {
      const length = this.#rest.readUInt32BE(0);
      this.#update(fromBinary(ViewUpdateSchema, this.#rest.subarray(4, 4 + length)));
      this.#rest = this.#rest.subarray(4 + length);
    }
  }

  #update(update: ViewUpdate): void {
    if (update.reset) this.rights = update.rights;
    const whole = this.#change.add(update);
    if (whole === undefined) return;
    this.table.apply(whole);
    this.changed = whole.entries.flatMap(({ key, value }) => (key.startsWith("n/") ? [fromBinary(NodeSchema, value).ref?.name ?? ""] : []));
    this.onChange();
  }
}
