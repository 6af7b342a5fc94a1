import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { PublishedTable, type TableReader } from "@binnacle/replica";
import {
  ViewsRequestSchema,
  ViewsResponseSchema,
  type ProveRequest,
  type SubscribeRequest,
  type Viewer,
  type ViewsRequest,
} from "@binnacle/proto/kas-views";

import type { FakeAgentCall } from "../../testing/fake-agent.ts";

/** An answer, as `create` takes it. */
export type ViewsAnswer = NonNullable<MessageInitShape<typeof ViewsResponseSchema>["response"]>;

/** One call of a kas, as the fake agent sees it. */
export interface ViewsConversation {
  /** All requests of kas, oldest first. */
  readonly requests: ViewsRequest["request"][];
  /** Sends any answer, even one that breaks the protocol. */
  say(answer: ViewsAnswer): void;
  /** Takes a message of kas. */
  hear(data: Uint8Array): void;
  /** The call is over. */
  close(): void;
}

interface Topic {
  readonly request: SubscribeRequest;
  carrier: string;
  readonly reader: TableReader;
}

/** An agent that keeps one table for each rights, and tells it by the rules unless a test makes it lie. */
export class FakeViewsAgent {
  engine = "engine-1";
  lacking: string[] = [];
  /** What a viewer may read, by his name ("" is the agent itself); default "all". */
  readonly rights = new Map<string, string>();
  /** Why it cannot find out what anybody may read. */
  failure: { readonly reason: string; readonly message: string } | undefined;
  /** How old its answers about rights are. */
  ageMs = 0;
  /** Sends no proofs while it is set. */
  silent = false;
  /** Whether updates of topics are sent as tables change; a test may send them itself. */
  tells = true;
  /** Entries of one piece. */
  pieceEntries = 1_000;
  readonly conversations: ViewsConversation[] = [];
  readonly #tables = new Map<string, PublishedTable>();
  readonly #open = new Map<ViewsConversation, Map<bigint, Topic>>();

  /** The table for viewers with these rights. */
  table(rights: string): PublishedTable {
    const known = this.#tables.get(rights) ?? new PublishedTable();
    this.#tables.set(rights, known);
    return known;
  }

  /** Entries of a table in text. */
  put(rights: string, entries: Readonly<Record<string, string>>): void {
    const table = this.table(rights);
    for (const [key, value] of Object.entries(entries)) table.put(key, Buffer.from(value));
    table.announce();
  }

  remove(rights: string, key: string): void {
    this.table(rights).remove(key);
    this.table(rights).announce();
  }

  /** Topics that kas follows now, in all calls. */
  get topics(): readonly { readonly rights: string; readonly carrier: string; readonly id: bigint }[] {
    return [...this.#open.values()].flatMap((topics) =>
      [...topics.values()].map(({ request, carrier }) => ({ rights: request.rights, carrier, id: request.topic })),
    );
  }

  /** Number of requests of a kind, in all calls. */
  heard(kind: NonNullable<ViewsRequest["request"]["case"]>): number {
    return this.conversations.reduce((sum, { requests }) => sum + requests.filter((request) => request.case === kind).length, 0);
  }

  /** Changes the rights of a viewer: topics that it carries end. */
  change(viewer: string, rights: string): void {
    this.rights.set(viewer, rights);
    for (const [conversation, topics] of this.#open) {
      for (const [id, topic] of topics) {
        if (topic.carrier !== viewer || topic.request.rights === rights) continue;
        this.#forget(topics, id);
        conversation.say({ case: "end", value: { topic: id, reason: "rights_changed" } });
      }
    }
  }

  /** A call has come. @param send takes bytes of a message to kas */
  converse(send: (bytes: Uint8Array) => void): ViewsConversation {
    const topics = new Map<bigint, Topic>();
    const conversation: ViewsConversation = {
      requests: [],
      say: (response) => send(toBinary(ViewsResponseSchema, create(ViewsResponseSchema, { response }))),
      hear: (data) => {
        const { request } = fromBinary(ViewsRequestSchema, data);
        conversation.requests.push(request);
        this.#hear(request, conversation, topics);
      },
      close: () => {
        for (const id of topics.keys()) this.#forget(topics, id);
        this.#open.delete(conversation);
      },
    };
    this.#open.set(conversation, topics);
    this.conversations.push(conversation);
    conversation.say({ case: "offer", value: { engine: this.engine, lacking: this.lacking } });
    return conversation;
  }

  #hear(request: ViewsRequest["request"], conversation: ViewsConversation, topics: Map<bigint, Topic>): void {
    switch (request.case) {
      case "prove":
        return this.#prove(request.value, conversation);
      case "subscribe":
        return this.#subscribe(request.value, conversation, topics);
      case "carrier": {
        const topic = topics.get(request.value.topic);
        if (topic) topic.carrier = nameOf(request.value.viewer);
        return;
      }
      case "unsubscribe":
        return this.#forget(topics, request.value.topic);
      case "healthRules":
      case "healthRulesDone":
        return; // recorded in `requests`
      case undefined:
        throw new Error("kas has sent an empty request");
    }
  }

  #prove({ id, viewer }: ProveRequest, conversation: ViewsConversation): void {
    if (this.silent) return;
    conversation.say({ case: "proved", value: { id, ageMs: this.ageMs, ...(this.failure ?? { rights: this.#rightsOf(nameOf(viewer)) }) } });
  }

  #subscribe(request: SubscribeRequest, conversation: ViewsConversation, topics: Map<bigint, Topic>): void {
    const carrier = nameOf(request.viewer);
    if (this.#rightsOf(carrier) !== request.rights)
      return conversation.say({ case: "end", value: { topic: request.topic, reason: "rights_changed" } });
    const reader = this.table(request.rights).open(() => this.tells && this.#tell(request.topic, conversation, topics));
    topics.set(request.topic, { request, carrier, reader });
  }

  #tell(topic: bigint, conversation: ViewsConversation, topics: Map<bigint, Topic>): void {
    const change = topics.get(topic)?.reader.take();
    if (change === undefined) return;
    const pieces = Math.max(1, Math.ceil(change.entries.length / this.pieceEntries));
    for (let piece = 0; piece < pieces; piece += 1) {
      const entries = change.entries
        .slice(piece * this.pieceEntries, (piece + 1) * this.pieceEntries)
        .map(({ key, value }) => ({ key, value }));
      const removed = piece === 0 ? [...change.removed] : [];
      conversation.say({
        case: "update",
        value: { topic, reset: change.reset && piece === 0, entries, removed, more: piece < pieces - 1 },
      });
    }
  }

  #forget(topics: Map<bigint, Topic>, id: bigint): void {
    topics.get(id)?.reader.close();
    topics.delete(id);
  }

  #rightsOf(viewer: string): string {
    return this.rights.get(viewer) ?? "all";
  }
}

/** What an agent on a real tunnel does with calls for views. */
export function answersViews(agent: FakeViewsAgent): (call: FakeAgentCall) => void {
  return (call) => {
    call.header();
    const conversation = agent.converse((bytes) => void call.message(bytes));
    call.onMessage = (data) => conversation.hear(data);
    call.onGone = () => conversation.close();
    call.onCloseSend = () => call.finish();
  };
}

/** Whom a viewer is in the cluster; empty: the agent itself. */
function nameOf(viewer: Viewer | undefined): string {
  return viewer?.identity?.username ?? "";
}
