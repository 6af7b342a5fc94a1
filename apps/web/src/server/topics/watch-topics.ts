import {
  WatchEnvironmentResponseSchema,
  WatchEnvironmentsResponseSchema,
  WatchEventsResponseSchema,
  type Topic,
  type WatchResponse,
} from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { Fault } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

import { mergeStreams } from "./merge-streams.ts";
import type { NoteBlock } from "../wire/outgoing-blocks.ts";
import type { TopicAnswer } from "../wire/topic-message.ts";
import { topicStream, type TopicStream } from "./topic-stream.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { positionOf, watchEnvironment, type WatchEnvironmentContext } from "../view/watch-environment.ts";
import { watchEvents, type WatchEventsContext } from "../view/watch-events.ts";
import { watchEnvironments, type IndexContext } from "../index/watch-environments.ts";

/** What topics are watched with. */
export type TopicsContext = WatchEnvironmentContext & WatchEventsContext & IndexContext;

/** Many more than anybody has pages open. */
const MAX_TOPICS = 64;

/** What a browser follows. */
interface TopicsRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly topics: readonly Topic[];
  /** Absent: the caller reads the fields of messages. */
  readonly noteBlock?: NoteBlock | undefined;
}

/**
 * Everything that a browser follows, in one stream. A topic that fails begins again by itself, and no other notices.
 *
 * @throws Fault `invalid_request` for topics that are too many, unknown, or of the same id
 */
export async function* watchTopics(context: TopicsContext, request: TopicsRequest, signal: AbortSignal): AsyncGenerator<WatchResponse> {
  const { topics, noteBlock } = request;
  if (topics.length > MAX_TOPICS) throw new Fault("invalid_request", `One stream follows at most ${MAX_TOPICS} topics.`);
  if (new Set(topics.map(({ id }) => id)).size < topics.length) throw new Fault("invalid_request", "Two topics have the same id.");
  const { clock, log } = context;
  const streams = topics.map((topic) => {
    const stream = { ...kindOf(context, request, topic), id: topic.id, isBinary: noteBlock !== undefined, clock, log };
    return (inner: AbortSignal) => topicStream(stream, inner);
  });
  for await (const { value } of mergeStreams(streams, signal)) yield value;
}

/** @throws Fault `invalid_request` */
function kindOf(
  context: TopicsContext,
  { viewerAccess, noteBlock }: TopicsRequest,
  { topic }: Topic,
): Pick<TopicStream, "open" | "toMessage"> {
  const sentAt = () => toTimestamp(context.clock.now());
  switch (topic.case) {
    case "environment": {
      const names = topic.value;
      return {
        open: (again, signal) => {
          const after = again ? undefined : positionOf(names);
          return answersOf("environment", watchEnvironment(context, { viewerAccess, names, after, noteBlock }, signal));
        },
        toMessage: (problem) => ({
          case: "environment",
          value: create(WatchEnvironmentResponseSchema, { sentAt: sentAt(), message: { case: "problem", value: problem } }),
        }),
      };
    }
    case "environments": {
      const { projectPath, visible, issues } = topic.value;
      return {
        open: (_again, signal) =>
          answersOf("environments", watchEnvironments(context, { viewerAccess, projectPath, visible, issues }, signal)),
        toMessage: (problem) => ({ case: "environments", value: create(WatchEnvironmentsResponseSchema, { sentAt: sentAt(), problem }) }),
      };
    }
    case "events": {
      const names = topic.value;
      return {
        open: (again, signal) => {
          const after = again ? undefined : positionOf(names);
          return answersOf("events", watchEvents(context, { viewerAccess, names, after }, signal));
        },
        toMessage: (problem) => ({ case: "events", value: create(WatchEventsResponseSchema, { sentAt: sentAt(), problem }) }),
      };
    }
    default:
      throw new Fault("invalid_request", "A topic names nothing that can be followed.");
  }
}

async function* answersOf<C extends NonNullable<TopicAnswer["case"]>>(
  kind: C,
  messages: AsyncIterable<Extract<TopicAnswer, { case: C }>["value"]>,
): AsyncGenerator<TopicAnswer> {
  // Each kind has the value of its own stream; the compiler does not follow that through the union.
  for await (const value of messages) yield { case: kind, value } as TopicAnswer;
}
