import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { JoinedChange, PublishedTable } from "@binnacle/replica";
import {
  type SubscribeRequestSchema,
  ViewsRequestSchema,
  ViewsResponseSchema,
  type ProveAnswer,
  type TopicEnd,
  type ViewsOffer,
  type ViewUpdate,
} from "@binnacle/proto/kas-views";
import { until } from "@binnacle/testing";

import { KasCaller } from "../../reverse-tunnel/testing/kas-caller.ts";
import type { AgentCallHandler, AgentCallReply } from "../../reverse-tunnel/agent-call.ts";

type SubscribeInit = MessageInitShape<typeof SubscribeRequestSchema>;
type RequestInit = NonNullable<MessageInitShape<typeof ViewsRequestSchema>["request"]>;

/** For tests: kas' side of a call about views. Updates of a topic are applied to a table; messages that must not come are `violations`. */
export class KasSide extends KasCaller {
  readonly tables = new Map<bigint, PublishedTable>();
  readonly ends = new Map<bigint, TopicEnd>();
  readonly violations: string[] = [];
  /** Updates of a topic, with their pieces. */
  readonly updates: ViewUpdate[] = [];
  offer: ViewsOffer | undefined;
  /** Bytes of all messages. */
  readonly received: Buffer[] = [];
  readonly #answers = new Map<bigint, ProveAnswer>();
  /** Changes by topic, and whether one has begun. */
  readonly #changes = new Map<bigint, { readonly joined: JoinedChange; isHalf: boolean }>();
  #last = 0n;

  constructor(open: (reply: AgentCallReply) => AgentCallHandler) {
    super();
    this.begin(open);
  }

  say(request: RequestInit): void {
    this.send(toBinary(ViewsRequestSchema, create(ViewsRequestSchema, { request })));
  }

  /** Asks what a viewer may read of a view. */
  async prove(view: SubscribeInit["view"], viewer?: SubscribeInit["viewer"]): Promise<ProveAnswer> {
    const id = (this.#last += 1n);
    this.say({ case: "prove", value: { id, view, viewer } });
    await until(() => this.#answers.has(id));
    return this.#answers.get(id) as ProveAnswer;
  }

  /** Subscribes to a view as a viewer. @returns the topic */
  async subscribe(view: SubscribeInit["view"], viewer?: SubscribeInit["viewer"]): Promise<bigint> {
    const { rights } = await this.prove(view, viewer);
    const topic = (this.#last += 1n);
    this.tables.set(topic, new PublishedTable());
    this.say({ case: "subscribe", value: { topic, view, rights, viewer } });
    return topic;
  }

  protected override take(bytes: Buffer): void {
    this.received.push(bytes);
    const { response } = fromBinary(ViewsResponseSchema, bytes);
    if (this.offer === undefined && response.case !== "offer" && response.case !== "proved") this.violations.push("the offer comes first");
    if (response.case === "offer") this.offer = response.value;
    else if (response.case === "proved") this.#answers.set(response.value.id, response.value);
    else if (response.case === "end") this.ends.set(response.value.topic, response.value);
    else if (response.case === "update") this.#update(response.value);
  }

  #update(update: ViewUpdate): void {
    this.updates.push(update);
    const table = this.tables.get(update.topic);
    if (table === undefined || this.ends.has(update.topic)) return void this.violations.push(`an update of ${update.topic}`);
    const change = this.#changes.get(update.topic) ?? { joined: new JoinedChange(), isHalf: false };
    this.#changes.set(update.topic, change);
    if (change.isHalf && update.reset) this.violations.push("a reset in the middle");
    change.isHalf = update.more;
    const whole = change.joined.add(update);
    if (whole) table.apply(whole);
  }
}
