import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { KubeClientError, type KubeTransport } from "@binnacle/environment-view";
import { createStatus } from "@binnacle/kube";
import type { ReplicaChange } from "@binnacle/replica";
import { ConnectionState } from "@binnacle/proto/dashboard";
import {
  ViewSpecSchema,
  ViewSpecsSchema,
  ViewUpdateSchema,
  type TopicEnd,
  type ViewSpec,
  type ViewSpecs,
  type ViewUpdate,
} from "@binnacle/proto/kas-views";
import type { Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { framesOfKas } from "./framed-answer.ts";

const PATH = "/binnacle/v1/views";
const ACCEPT = "application/vnd.binnacle.views+proto";
/** kas sends about 256 KiB at a time. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;

/** Where views come from. */
export interface ViewStreamSource {
  readonly transport: KubeTransport;
  readonly clock: Clock;
}

/**
 * A view that an agent keeps, as kas tells it to the viewer, in pieces: its first change has everything. docs/design/views.md
 *
 * @throws KubeClientError `api` with 501 when the agent does not offer it; 403 when the rights behind it have ended
 */
export async function* agentViewStream(
  source: ViewStreamSource,
  spec: ViewSpec,
  signal: AbortSignal,
): AsyncGenerator<AgentViewMessage, void, void> {
  const read = updateReader();
  const body = toBinary(ViewSpecSchema, spec);
  for await (const update of updates(source, { path: PATH, body }, signal)) {
    if (update.end) throw ended(update.end);
    yield* read(update);
  }
}

/** A message of kas about one of several views, by its index in the request. */
export type PlacedWord = {
  readonly place: number;
  readonly word: AgentViewMessage | { readonly kind: "end"; readonly error: KubeClientError };
};

/**
 * Several views that an agent keeps, over one answer; each ends by itself.
 *
 * @throws KubeClientError as `agentViewStream`, when none of them can be had, and when the rights behind them have ended
 */
export async function* agentViewsStream(
  source: ViewStreamSource,
  views: readonly ViewSpec[],
  signal: AbortSignal,
): AsyncGenerator<PlacedWord, void, void> {
  const readers = views.map(updateReader);
  const body = toBinary(ViewSpecsSchema, together(views));
  for await (const update of updates(source, { path: `${PATH}/many`, body }, signal)) {
    const { topic, end } = update;
    const place = Number(topic) - 1;
    if (end && topic === 0n) throw ended(end);
    const read = readers[place];
    // A sign of life bears no number.
    if (read === undefined) continue;
    if (end) yield { place, word: { kind: "end", error: ended(end) } };
    for (const word of read(update)) yield { place, word };
  }
}

/** Rules that several views name are sent once. */
function together(views: readonly ViewSpec[]): ViewSpecs {
  return create(ViewSpecsSchema, {
    views: views.map((view) => ({ ...view, healthRules: [] })),
    healthRules: [...new Set(views.flatMap(({ healthRules }) => healthRules))],
  });
}

function ended({ reason, message }: TopicEnd): KubeClientError {
  return new KubeClientError("api", message, { status: createStatus(codeOf(reason), message) });
}

async function* updates(
  source: ViewStreamSource,
  request: { readonly path: string; readonly body: Uint8Array },
  signal: AbortSignal,
): AsyncGenerator<ViewUpdate, void, void> {
  for await (const bytes of framesOfKas(source, { ...request, accept: ACCEPT, maxFrameBytes: MAX_FRAME_BYTES }, signal))
    yield decoded(bytes);
}

/** What kas sends of a view: a change, or a piece of one, for a `Replica`; or the state of its own connection to the agent. */
export type AgentViewMessage =
  { readonly kind: "change"; readonly change: ReplicaChange } | { readonly kind: "way"; readonly isWell: boolean };

/** Reads the updates of one view. */
function updateReader(): (update: ViewUpdate) => AgentViewMessage[] {
  let isPartial = false;
  return (update) => {
    const { connection, reset, more, entries, removed } = update;
    // A sign of life has no content; the last piece of a change may have none either.
    const hasContent = isPartial || reset || more || entries.length + removed.length > 0;
    isPartial = more;
    return [
      ...(connection ? [{ kind: "way" as const, isWell: connection.state === ConnectionState.CONNECTED }] : []),
      ...(hasContent ? [{ kind: "change" as const, change: update }] : []),
    ];
  };
}

function decoded(bytes: Uint8Array): ViewUpdate {
  try {
    return fromBinary(ViewUpdateSchema, bytes);
  } catch (error) {
    throw new KubeClientError("connection", words("answer/no-event"), { cause: error });
  }
}

/** Reasons for which it will not be otherwise until something is changed. */
const PERMANENT: ReadonlySet<string> = new Set([
  "not_implemented",
  "unknown_method",
  "agent_outdated",
  "cannot_impersonate",
  "over_budget",
  "message_too_large",
  "invalid_request",
]);

/** There are as many views as kas or the agent carries. */
const NO_ROOM: ReadonlySet<string> = new Set(["queue_full", "share_exceeded"]);

function codeOf(reason: string): number {
  if (NO_ROOM.has(reason)) return 429;
  return PERMANENT.has(reason) ? 501 : 503;
}
