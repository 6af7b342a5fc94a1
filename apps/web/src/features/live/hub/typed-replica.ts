import type { ViewPosition } from "@binnacle/proto/dashboard";
import type { LiveMessage } from "./live-topic.ts";
import type { TopicReplica } from "./stream-hub.ts";

/** What is known of a topic, whatever its type. Times are milliseconds since the epoch. */
export interface TopicContent {
  /** A stream has begun and has sent no content yet: what is known is from an earlier one. */
  readonly isAwaited: boolean;
  /** When the last message came; 0: none has. */
  readonly atMs: number;
  /** When the content was last confirmed; 0: there is none. */
  readonly confirmedAtMs: number;
  /** The server will send no more. */
  readonly isOver: boolean;
}

/** How messages of one type make content, and content makes messages. */
export interface TopicType<C extends TopicContent> {
  /** Before the first message. */
  readonly empty: C;
  /** The content after a message. Messages of other types change nothing. */
  reduce(content: C, message: LiveMessage): C;
  /** Messages that together say all of it; none before the first. */
  messagesOf(content: C): readonly Omit<LiveMessage, "first">[];
  /** How far it has come; `undefined`: not far enough to continue from there. */
  positionOf(content: C): ViewPosition | undefined;
}

/** A replica of what the server sends of one topic: content of one type, and the messages that a page would have got from the start. */
export class TypedReplica<C extends TopicContent> implements TopicReplica<LiveMessage, ViewPosition> {
  readonly #type: TopicType<C>;
  #content: C;

  constructor(type: TopicType<C>) {
    this.#type = type;
    this.#content = type.empty;
  }

  take(message: LiveMessage): boolean {
    this.#content = this.#type.reduce(this.#content, message);
    return !this.#content.isOver;
  }

  whole(): readonly LiveMessage[] {
    return this.#type.messagesOf(this.#content).map((message, index) => ({ ...message, first: index === 0 }));
  }

  position(): ViewPosition | undefined {
    return this.#type.positionOf(this.#content);
  }

  heldAtMs(): number {
    return this.#content.confirmedAtMs;
  }

  isCurrent(): boolean {
    return !this.#content.isAwaited;
  }
}
