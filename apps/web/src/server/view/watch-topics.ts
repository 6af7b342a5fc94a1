import { WatchResponseSchema, type Topic, type WatchResponse } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

import type { BffContext } from "../bff-context.ts";
import { mergeStreams } from "./merge-streams.ts";
import type { NoteBlock } from "../wire/outgoing-blocks.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";
import { positionOf, watchEnvironment } from "./watch-environment.ts";
import { watchEvents } from "./watch-events.ts";
import { watchEnvironments } from "../index/watch-environments.ts";

/** Many more than anybody has pages open. */
const MOST_TOPICS = 64;

type Answer = WatchResponse["message"];

/**
 * Everything that a browser follows, in one stream.
 *
 * @throws Fault `invalid_request` for topics that are too many, unknown, or of the same id
 */
export async function* watchTopics(
  context: BffContext,
  request: {
    readonly viewerAccess: ViewerAccess | undefined;
    readonly topics: readonly Topic[];
    readonly noteBlock?: NoteBlock | undefined;
  },
  signal: AbortSignal,
): AsyncGenerator<WatchResponse> {
  const { viewerAccess, topics, noteBlock } = request;
  if (topics.length > MOST_TOPICS) throw new Fault("invalid_request", `One stream follows at most ${MOST_TOPICS} topics.`);
  if (new Set(topics.map(({ id }) => id)).size < topics.length) throw new Fault("invalid_request", "Two topics have the same id.");
  const streams = topics.map(({ topic }) => {
    switch (topic.case) {
      case "environment": {
        const names = topic.value;
        const after = positionOf(names);
        return (inner: AbortSignal): AsyncIterable<Answer> =>
          answersOf("environment", watchEnvironment(context, { viewerAccess, names, after, noteBlock }, inner));
      }
      case "environments": {
        const { projectPath, visible, issues } = topic.value;
        return (inner: AbortSignal): AsyncIterable<Answer> =>
          answersOf("environments", watchEnvironments(context, { viewerAccess, projectPath, visible, issues }, inner));
      }
      case "events": {
        const names = topic.value;
        const after = positionOf(names);
        return (inner: AbortSignal): AsyncIterable<Answer> =>
          answersOf("events", watchEvents(context, { viewerAccess, names, after }, inner));
      }
      default:
        throw new Fault("invalid_request", "A topic names nothing that can be followed.");
    }
  });
  for await (const { index, value } of mergeStreams(streams, signal)) {
    yield create(WatchResponseSchema, { topic: topics[index]?.id ?? 0, message: value });
  }
}

async function* answersOf<C extends NonNullable<Answer["case"]>>(
  kind: C,
  messages: AsyncIterable<Extract<Answer, { case: C }>["value"]>,
): AsyncGenerator<Answer> {
  // Each kind has the value of its own stream; the compiler does not follow that through the union.
  for await (const value of messages) yield { case: kind, value } as Answer;
}
