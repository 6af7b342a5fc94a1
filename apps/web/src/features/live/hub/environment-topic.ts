import {
  SnapshotSchema,
  WatchEnvironmentResponseSchema,
  type Connection,
  type Header,
  type ViewPosition,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { isOfAnotherUser } from "@binnacle/presentation/view/same-view";
import { NumberedGraph } from "@binnacle/presentation/view/numbered-graph";
import { factsAfter, factsOf, type ViewFacts } from "@binnacle/presentation/view/view-facts";
import type { LiveMessage } from "./live-topic.ts";
import { isFinal } from "@binnacle/presentation/view/pause";
import type { TopicContent, TopicType } from "./typed-replica.ts";

interface View {
  readonly graph: NumberedGraph;
  readonly facts: ViewFacts;
  /** When it was so; absent: it is so now. */
  readonly asOf?: Timestamp | undefined;
}

interface EnvironmentContent extends TopicContent {
  readonly header?: { readonly atMs: number; readonly response: WatchEnvironmentResponse; readonly value: Header } | undefined;
  /** What the stream of now has sent, or what it continues from. */
  readonly current?: View | undefined;
  /** The last complete content, while the current one is not. */
  readonly previous?: View | undefined;
  readonly connection?: Connection | undefined;
  readonly problem?: LiveMessage | undefined;
  readonly position?: ViewPosition | undefined;
}

const EMPTY: EnvironmentContent = { isAwaited: false, atMs: 0, confirmedAtMs: 0, isOver: false };

/** An environment. A stream continues from complete content only, never from what the last stream was filling. */
export const ENVIRONMENT_TOPIC: TopicType<EnvironmentContent> = {
  empty: EMPTY,
  reduce(before, live) {
    const { answer, atMs } = live;
    if (answer.case !== "environment") return before;
    const { message, position } = answer.value;
    if (message.case === "problem") return { ...before, atMs, problem: live, isOver: isFinal(message.value) };
    const isSnapshot = message.case === "snapshot";
    const after = contentAfter(before, answer.value, atMs);
    const isAwaited = message.case === "header" || (before.isAwaited && !isSnapshot && position === undefined);
    return {
      ...after,
      previous: after.current?.facts.complete === true ? undefined : after.previous,
      problem: message.case === "heartbeat" ? before.problem : undefined,
      // A cached snapshot has none.
      position: isSnapshot ? position : (position ?? after.position),
      isAwaited,
      atMs,
      confirmedAtMs: isAwaited || after.current === undefined ? after.confirmedAtMs : atMs,
    };
  },
  messagesOf(content) {
    const { connection, problem, isAwaited } = content;
    const header = headerOf(content);
    const snapshots = [content.previous, content.current].flatMap((each) => (each === undefined ? [] : [snapshotOf(content, each)]));
    const again = isAwaited && snapshots.length > 0 ? header : undefined;
    // A snapshot has it too.
    const alone = snapshots.length === 0 && connection ? now(content, { message: { case: "connection", value: connection } }) : undefined;
    return [header, ...snapshots, again, alone, problem].filter((each) => each !== undefined);
  },
  positionOf: ({ current, position }) => (current?.facts.complete === true ? position : undefined),
};

function contentAfter(before: EnvironmentContent, response: WatchEnvironmentResponse, atMs: number): EnvironmentContent {
  const { message } = response;
  switch (message.case) {
    case "header":
      return beginningWith({ atMs, response, value: message.value }, before);
    case "delivery": {
      const { header } = before;
      const environment = header?.value.environment && { ...header.value.environment, delivery: message.value };
      return environment === undefined ? before : { ...before, header: header && { ...header, value: { ...header.value, environment } } };
    }
    case "connection":
      return { ...before, connection: message.value };
    case "snapshot": {
      const { value } = message;
      const current = { graph: new NumberedGraph(value), facts: factsOf(value), asOf: value.asOf };
      const previous = before.current?.facts.complete === true ? before.current : before.previous;
      return { ...before, connection: value.connection ?? before.connection, current, previous };
    }
    case "delta": {
      const { current } = before;
      current?.graph.patch(message.value);
      const patched = current && { ...current, facts: factsAfter(current.facts, message.value) };
      return { ...before, connection: message.value.connection ?? before.connection, current: patched };
    }
    default:
      return before;
  }
}

/** A stream begins. What another user saw is not shown to who has signed in now. */
function beginningWith(header: NonNullable<EnvironmentContent["header"]>, before: EnvironmentContent): EnvironmentContent {
  if (isOfAnotherUser(before.header?.value.viewer, header.value.viewer)) return { ...EMPTY, header };
  const { current, previous } = before;
  return current === undefined || current.facts.complete
    ? { ...before, header }
    : { ...before, header, current: undefined, previous: previous ?? current };
}

function snapshotOf(content: EnvironmentContent, view: View): Omit<LiveMessage, "first"> {
  const { graph, facts, asOf } = view;
  const { health, configurationError, empty, complete, sources } = facts;
  const position = view === content.current ? ENVIRONMENT_TOPIC.positionOf(content) : undefined;
  const value = create(SnapshotSchema, {
    nodes: [...graph.nodes.values()],
    edges: [...graph.edges.values()],
    sources: [...sources],
    complete,
    ...(health && { health }),
    ...(configurationError && { configurationError }),
    ...(empty && { empty }),
    ...(asOf && { asOf }),
    ...(content.connection && { connection: content.connection }),
  });
  return now(content, { message: { case: "snapshot", value }, ...(position && { position }) });
}

/** Of what several messages have made together. */
function now({ atMs }: TopicContent, init: MessageInitShape<typeof WatchEnvironmentResponseSchema>): Omit<LiveMessage, "first"> {
  return { atMs, answer: { case: "environment", value: create(WatchEnvironmentResponseSchema, init) } };
}

/** The header as it came, with what deliveries have changed in it. */
function headerOf({ header }: EnvironmentContent): Omit<LiveMessage, "first"> | undefined {
  if (header === undefined) return undefined;
  const { atMs, response, value } = header;
  return { atMs, answer: { case: "environment", value: { ...response, message: { case: "header", value } } } };
}
