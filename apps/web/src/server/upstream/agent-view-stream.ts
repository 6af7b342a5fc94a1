import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { KubeClientError, type KubeResponse, type KubeTransport, type RemoteChange } from "@binnacle/environment-view";
import { createStatus } from "@binnacle/kube";
import { ChangeTooLargeError, JoinedChange } from "@binnacle/live-table";
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

const PATH = "/binnacle/v1/views";
const ACCEPT = "application/vnd.binnacle.views+proto";
const LENGTH_BYTES = 4;
/** kas sends about 256 KiB at a time. */
const MOST_FRAME_BYTES = 4 * 1024 * 1024;
/** kas says each 10 s that the stream lives; one whose connection is half dead says nothing. */
const SILENCE_MS = 35_000;
/** A change in pieces; the largest view there is has about five thousand nodes of some kilobytes. */
const MOST_CHANGE_BYTES = 64 * 1024 * 1024;

/** Where views come from. */
export interface ViewStreamSource {
  readonly transport: KubeTransport;
  readonly clock: Clock;
}

/**
 * A view that an agent keeps, as kas tells it to the viewer: its first change has everything. docs/design/views.md
 *
 * @throws KubeClientError `api` with 501 when the agent does not offer it; 403 when the rights behind it have ended
 */
export async function* agentViewStream(
  { transport, clock }: ViewStreamSource,
  spec: ViewSpec,
  signal: AbortSignal,
): AsyncGenerator<AgentWord, void, void> {
  const change = new ToldChange();
  const body = toBinary(ViewSpecSchema, spec);
  for await (const update of updates(transport, { path: PATH, body, clock }, signal)) {
    const { connection, end } = update;
    if (end) throw ended(end);
    if (connection) yield { kind: "way", isWell: connection.state === ConnectionState.CONNECTED };
    const whole = change.add(update);
    if (whole) yield { kind: "change", change: whole };
  }
}

/** What kas says of one of several views, by its place among those that were asked for. */
export type PlacedWord = { readonly place: number; readonly word: AgentWord | { readonly kind: "end"; readonly error: KubeClientError } };

/**
 * Several views that an agent keeps, over one answer; each ends by itself.
 *
 * @throws KubeClientError as `agentViewStream`, when none of them can be had, and when the rights behind them have ended
 */
export async function* agentViewsStream(
  { transport, clock }: ViewStreamSource,
  views: readonly ViewSpec[],
  signal: AbortSignal,
): AsyncGenerator<PlacedWord, void, void> {
  const changes = views.map(() => new ToldChange());
  const body = toBinary(ViewSpecsSchema, together(views));
  for await (const update of updates(transport, { path: `${PATH}/many`, body, clock }, signal)) {
    const { topic, connection, end } = update;
    const place = Number(topic) - 1;
    if (end && topic === 0n) throw ended(end);
    const change = changes[place];
    // A sign of life bears no number.
    if (change === undefined) continue;
    if (end) yield { place, word: { kind: "end", error: ended(end) } };
    if (connection) yield { place, word: { kind: "way", isWell: connection.state === ConnectionState.CONNECTED } };
    const whole = change.add(update);
    if (whole) yield { place, word: { kind: "change", change: whole } };
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
  transport: KubeTransport,
  asked: { readonly path: string; readonly body: Uint8Array; readonly clock: Clock },
  signal: AbortSignal,
): AsyncGenerator<ViewUpdate, void, void> {
  const { path, body, clock } = asked;
  // Whoever is asked for a view only reads: it may be asked again with a fresh credential.
  const request = {
    method: "POST",
    path,
    accept: ACCEPT,
    contentType: "application/protobuf",
    purpose: "proof",
    body: once(body),
  } as const;
  const response = await transport.request(request, signal);
  if (response.status !== 200) {
    response.close();
    throw new KubeClientError("api", words("answer/no-object", { path }), { status: createStatus(response.status, "no view") });
  }
  try {
    yield* updatesOf(whileHeard(response, clock));
  } catch (error) {
    if (error instanceof KubeClientError) throw error;
    throw new KubeClientError("connection", words("answer/watch-broken"), { cause: error });
  } finally {
    response.close();
  }
  throw new KubeClientError("connection", words("answer/watch-broken"));
}

/** What kas says: something has changed, or how its own way to the agent is. */
export type AgentWord = { readonly kind: "change"; readonly change: RemoteChange } | { readonly kind: "way"; readonly isWell: boolean };

/** Joins what kas says of one view. */
class ToldChange {
  readonly #joined = new JoinedChange({ bytes: MOST_CHANGE_BYTES });
  #rights = "";

  /** @returns a change when it is whole; `undefined` also for what says nothing of the view. @throws KubeClientError `too_large` */
  add(update: ViewUpdate): RemoteChange | undefined {
    if (update.reset) this.#rights = update.rights;
    try {
      const whole = this.#joined.add(update);
      if (whole === undefined || (!whole.reset && whole.entries.length + whole.removed.length === 0)) return undefined;
      return whole.reset ? { ...whole, rights: this.#rights } : whole;
    } catch (error) {
      if (!(error instanceof ChangeTooLargeError)) throw error;
      throw new KubeClientError("too_large", words("answer/line-too-long"), { cause: error });
    }
  }
}

/** The body of an answer, which is given up when nothing comes for too long. */
async function* whileHeard(response: KubeResponse, clock: Clock): AsyncGenerator<Uint8Array, void, void> {
  let isSilent = false;
  const silent = (): void => {
    isSilent = true;
    response.close();
  };
  let cancel = clock.after(SILENCE_MS, silent);
  try {
    for await (const chunk of response.body) {
      cancel();
      yield chunk;
      cancel = clock.after(SILENCE_MS, silent);
    }
  } catch (error) {
    throw isSilent ? new KubeClientError("timeout", words("request/no-answer-in-time"), { cause: error }) : error;
  } finally {
    cancel();
  }
}

async function* updatesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<ViewUpdate, void, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < LENGTH_BYTES) break;
      const length = rest.readUInt32BE(0);
      if (length > MOST_FRAME_BYTES) throw new KubeClientError("too_large", words("answer/line-too-long"));
      if (rest.length < LENGTH_BYTES + length) break;
      yield decoded(rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
      rest = rest.subarray(LENGTH_BYTES + length);
    }
    // What came in is only good until more comes.
    rest = Buffer.from(rest);
  }
}

function decoded(bytes: Uint8Array): ViewUpdate {
  try {
    return fromBinary(ViewUpdateSchema, bytes);
  } catch (error) {
    throw new KubeClientError("connection", words("answer/no-event"), { cause: error });
  }
}

/** For a body that may be sent twice. */
function once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
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
