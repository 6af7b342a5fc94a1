import {
  SnapshotSchema,
  WatchEnvironmentResponseSchema,
  type Connection,
  type Delivery,
  type Viewer,
  type ViewPosition,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import { create } from "@bufbuild/protobuf";
import { HeldPicture } from "../held-picture.ts";
import { isOfAnotherUser } from "../same-view.ts";
import type { LiveMessage } from "./live-topic.ts";
import type { TopicReplica } from "./stream-hub.ts";

/** What is known of an environment, as the messages that a page would have got since it was first asked for. */
export class EnvironmentReplica implements TopicReplica<LiveMessage, ViewPosition> {
  #header: LiveMessage | undefined;
  /** What the stream of now has sent, or what it goes on from. */
  #picture: HeldPicture | undefined;
  /** The last picture that was whole, while the one of now is not. */
  #before: HeldPicture | undefined;
  #connection: Connection | undefined;
  #problem: LiveMessage | undefined;
  #position: ViewPosition | undefined;
  /** The stream of now has said whose view it is, and nothing of it. */
  #isAwaited = false;
  #atMs = 0;
  #heldAtMs = 0;

  take(live: LiveMessage): boolean {
    const { answer, atMs } = live;
    if (answer.case !== "environment") return true;
    this.#atMs = atMs;
    const response = answer.value;
    const { message } = response;
    if (message.case === "problem") {
      this.#problem = live;
      return message.value.kind === ProblemKind.UNAVAILABLE;
    }
    if (message.case !== "heartbeat") this.#problem = undefined;
    this.#position = response.position ?? this.#position;
    if (response.position !== undefined) this.#isAwaited = false;
    if (message.case === "header") this.#begin(live);
    else if (message.case === "delivery") this.#header = this.#header && headerWith(this.#header, message.value);
    else if (message.case === "connection") this.#connection = message.value;
    else if (message.case === "snapshot") {
      if (this.#picture?.complete === true) this.#before = this.#picture;
      this.#picture = new HeldPicture(message.value, atMs);
      this.#connection = message.value.connection ?? this.#connection;
      // A picture that was kept has none.
      this.#position = response.position;
      this.#isAwaited = false;
    } else if (message.case === "delta") {
      this.#picture?.patch(message.value);
      this.#connection = message.value.connection ?? this.#connection;
    }
    if (this.#picture?.complete === true) this.#before = undefined;
    if (this.#picture !== undefined && !this.#isAwaited) this.#heldAtMs = atMs;
    return true;
  }

  whole(): readonly LiveMessage[] {
    const pictures = [this.#before, this.#picture].flatMap((picture) => (picture === undefined ? [] : this.#snapshotOf(picture)));
    const again = this.#isAwaited && pictures.length > 0 ? this.#header : undefined;
    // A picture has it too.
    const connection = pictures.length === 0 ? this.#connectionAlone() : undefined;
    const all = [this.#header, ...pictures, again, connection, this.#problem].filter((each) => each !== undefined);
    return all.map((message, index) => ({ ...message, first: index === 0 }));
  }

  position(): ViewPosition | undefined {
    return this.#picture?.complete === true ? this.#position : undefined;
  }

  heldAtMs(): number {
    return this.#heldAtMs;
  }

  isCurrent(): boolean {
    return !this.#isAwaited;
  }

  /** A stream begins. It goes on from a picture that was whole, never from one that the last stream was filling. */
  #begin(header: LiveMessage): void {
    if (isOfAnotherUser(viewerOf(this.#header), viewerOf(header))) this.#forget();
    this.#header = header;
    this.#isAwaited = true;
    if (this.#picture === undefined || this.#picture.complete) return;
    this.#before ??= this.#picture;
    this.#picture = undefined;
  }

  /** Somebody else has signed in: what the one before saw is not theirs. */
  #forget(): void {
    this.#picture = this.#before = this.#connection = this.#problem = this.#position = undefined;
    this.#heldAtMs = 0;
  }

  #snapshotOf(picture: HeldPicture): LiveMessage {
    const { nodes, edges, sources, health, configurationError, empty, complete, asOf } = picture;
    const position = picture === this.#picture ? this.position() : undefined;
    const value = create(SnapshotSchema, {
      nodes: [...nodes.values()],
      edges: [...edges.values()],
      sources: [...sources.values()],
      complete,
      ...(health && { health }),
      ...(configurationError && { configurationError }),
      ...(empty && { empty }),
      ...(asOf && { asOf }),
      ...(this.#connection && { connection: this.#connection }),
    });
    return this.#now(create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value }, ...(position && { position }) }));
  }

  #connectionAlone(): LiveMessage | undefined {
    const value = this.#connection;
    return value && this.#now(create(WatchEnvironmentResponseSchema, { message: { case: "connection", value } }));
  }

  /** Of what messages have made together, which came bit by bit until now. */
  #now(value: WatchEnvironmentResponse): LiveMessage {
    return { atMs: this.#atMs, first: false, answer: { case: "environment", value } };
  }
}

/** The header as it would be sent now. */
function headerWith(header: LiveMessage, delivery: Delivery): LiveMessage {
  const { answer } = header;
  if (answer.case !== "environment" || answer.value.message.case !== "header") return header;
  const { value } = answer.value.message;
  if (value.environment === undefined) return header;
  const now = { ...value, environment: { ...value.environment, delivery } };
  return { ...header, answer: { ...answer, value: { ...answer.value, message: { case: "header", value: now } } } };
}

function viewerOf(header: LiveMessage | undefined): Viewer | undefined {
  const message = header?.answer.case === "environment" ? header.answer.value.message : undefined;
  return message?.case === "header" ? message.value.viewer : undefined;
}
