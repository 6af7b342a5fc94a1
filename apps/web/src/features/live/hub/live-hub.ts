import { WatchResponseSchema, type ViewPosition, type WatchResponse } from "@binnacle/proto/dashboard";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { dashboardClient } from "../dashboard-client.ts";
import { ENVIRONMENT_TOPIC } from "./environment-topic.ts";
import { ENVIRONMENTS_TOPIC } from "./environments-topic.ts";
import type { PackedMessage } from "./hub-protocol.ts";
import { toTopic, topicKey, type LiveMessage, type LiveTopic } from "./live-topic.ts";
import { StreamHub, type OpenedTopic, type StreamHubOptions, type TopicMessage } from "./stream-hub.ts";
import { isFinal } from "@binnacle/presentation/view/pause";
import { TypedReplica, type TopicContent, type TopicType } from "./typed-replica.ts";
import { eventsAfter, eventsMessage, NO_EVENTS, type EventsContent } from "../events-content.ts";

/** Events of an environment. */
export const EVENTS_TOPIC: TopicType<TopicContent & { readonly events: EventsContent }> = {
  empty: { events: NO_EVENTS, isAwaited: true, atMs: 0, confirmedAtMs: 0, isOver: false },
  reduce(before, { answer, atMs, first }) {
    if (answer.case !== "events") return before;
    const { position, state, problem } = answer.value;
    const isAwaited = (before.isAwaited || first) && position === undefined && state === undefined;
    const events = eventsAfter(before.events, answer.value);
    return { events, isAwaited, atMs, confirmedAtMs: isAwaited ? before.confirmedAtMs : atMs, isOver: isFinal(problem) };
  },
  messagesOf({ events: { problem, ...rest }, atMs }) {
    if (atMs === 0) return [];
    const messages = [eventsMessage(rest), ...(problem === undefined ? [] : [eventsMessage({ ...NO_EVENTS, problem })])];
    return messages.map((value) => ({ atMs, answer: { case: "events", value } }));
  },
  positionOf: ({ events }) => (events.state?.complete === true ? events.position : undefined),
};

/** The hub over the dashboard's own stream. */
export type LiveHub = StreamHub<LiveTopic, LiveMessage, ViewPosition>;

const REPLICAS = {
  environment: () => new TypedReplica(ENVIRONMENT_TOPIC),
  environments: () => new TypedReplica(ENVIRONMENTS_TOPIC),
  events: () => new TypedReplica(EVENTS_TOPIC),
};

/** How a hub asks the dashboard that this page or worker came from. */
export const LIVE_HUB: StreamHubOptions<LiveTopic, LiveMessage, ViewPosition> = {
  open,
  keyOf: topicKey,
  replica: ({ what }) => REPLICAS[what](),
};

/** A hub that asks the dashboard itself. */
export function createLiveHub(): LiveHub {
  return new StreamHub(LIVE_HUB);
}

const packed = new WeakMap<LiveMessage, PackedMessage>();

/** A message for other threads: bytes are copied at once, an object field by field. Made once, however many pages get it. */
export function packMessage(message: LiveMessage): PackedMessage {
  const { atMs, first, answer } = message;
  const known = packed.get(message);
  const made = known ?? { atMs, first, bytes: toBinary(WatchResponseSchema, create(WatchResponseSchema, { message: answer })) };
  packed.set(message, made);
  return made;
}

/** The reverse. @throws Error for bytes of another build */
export function unpackMessage({ atMs, first, bytes }: PackedMessage): LiveMessage {
  return { atMs, first, answer: answerOf(fromBinary(WatchResponseSchema, bytes)) };
}

async function* open(
  topics: readonly OpenedTopic<LiveTopic, ViewPosition>[],
  signal: AbortSignal,
): AsyncGenerator<TopicMessage<LiveMessage>> {
  const request = { topics: topics.map(({ id, topic, position }) => toTopic(id, topic, position)) };
  const begun = new Set<number>();
  for await (const response of dashboardClient().watch(request, { signal })) {
    const id = response.topic;
    yield { id, message: { atMs: Date.now(), first: !begun.has(id), answer: answerOf(response) } };
    begun.add(id);
  }
}

function answerOf({ message }: WatchResponse): LiveMessage["answer"] {
  if (message.case === undefined) throw new Error("the dashboard sent a message of another version");
  return message;
}
