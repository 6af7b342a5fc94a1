import { create } from "@bufbuild/protobuf";
import { ChangePieces, type TableReader } from "@binnacle/replica";
import { ConnectionSchema, ConnectionState } from "@binnacle/proto/dashboard";
import { ViewUpdateSchema, type ViewUpdate } from "@binnacle/proto/kas-views";
import { timeField } from "@binnacle/proto/wire-values";
import { Fault } from "@binnacle/rpc";

import type { CanonicalSpec, CanonicalViewer } from "./canonical-spec.ts";
import type { ViewsConnection } from "./persistent-call.ts";
import type { PermissionCheck } from "./permission-checks.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";
import type { TopicMember, ViewTopic } from "./view-topic.ts";
import type { ViewsMetrics } from "./views-metrics.ts";

/** What a subscriber hears. Neither may throw. */
export interface SubscriptionEvents {
  /** There may be something to take. */
  ready(): void;
  /** Nothing follows. */
  ended(fault: Fault): void;
}

/** What the agent's side does for a subscription. */
export interface SubscriptionHost {
  readonly connection: ViewsConnection;
  readonly metrics: ViewsMetrics;
  /** The topic of its rights; it is a member of it from then on. */
  enter(member: TopicMember, rights: string): ViewTopic;
  leave(member: TopicMember, topic: ViewTopic): void;
  /** It needs nothing more. */
  closed(): void;
}

/** The connection state that was sent: it is sent again only when it has changed. */
interface SentConnection {
  readonly state: ConnectionState;
  readonly sinceMs: number | undefined;
}

const OF_CONNECTION = {
  connecting: ConnectionState.CONNECTING,
  connected: ConnectionState.CONNECTED,
  reconnecting: ConnectionState.RECONNECTING,
  offline: ConnectionState.AGENT_OFFLINE,
} as const;

/**
 * A subscriber of a view. It receives the topic of its rights, and only that, as long as the rights are proved; when they change, the
 * next update is a reset.
 */
export class ViewSubscription implements TopicMember {
  readonly viewer: CanonicalViewer;
  readonly spec: CanonicalSpec;
  readonly #host: SubscriptionHost;
  readonly #events: SubscriptionEvents;
  #proof: PermissionCheck | undefined;
  #topic: ViewTopic | undefined;
  #reader: TableReader | undefined;
  /** A change that was sent in part. */
  #pieces: ChangePieces | undefined;
  /** The subscriber has state of another topic, which a reset must remove. */
  #mustForget = false;
  #hasSomething = false;
  #sent: SentConnection | undefined;
  #over = false;

  constructor(of: { readonly viewer: CanonicalViewer; readonly spec: CanonicalSpec }, host: SubscriptionHost, events: SubscriptionEvents) {
    this.viewer = of.viewer;
    this.spec = of.spec;
    this.#host = host;
    this.#events = events;
    host.metrics.subscribers(1);
  }

  /** From now on its rights are proved by this. */
  prove(proof: PermissionCheck): void {
    this.#proof = proof;
    this.proofChanged();
  }

  /** The rights of the subscriber, or their proof, have changed. */
  proofChanged(): void {
    if (this.#over) return;
    const rights = this.#proof?.rights;
    if (rights !== undefined && rights !== this.#topic?.rights) this.#move(rights);
    this.#events.ready();
  }

  /** The rights may have changed: nothing is sent until they are proved again. */
  invalidate(): void {
    this.#proof?.invalidate();
  }

  changed(): void {
    this.#events.ready();
  }

  ended(fault: Fault): void {
    if (this.#over) return;
    this.close();
    this.#events.ended(fault);
  }

  /** The next thing to tell, of at most about 256 KiB; undefined while there is nothing. */
  take(): ViewUpdate | undefined {
    if (this.#over) return undefined;
    const piece = this.#isProved ? this.#nextPiece() : undefined;
    const connection = this.#news();
    const mustForget = this.#mustForget && piece === undefined;
    if (piece === undefined && connection === undefined && !mustForget) return undefined;
    if (mustForget || piece?.reset === true) this.#mustForget = false;
    if (mustForget) this.#hasSomething = false;
    if (piece !== undefined) this.#hasSomething = true;
    this.#host.metrics.update("out");
    return create(ViewUpdateSchema, {
      ...(piece && { reset: piece.reset, removed: [...piece.removed] }),
      // A connection state in the middle of a change does not end the change.
      more: this.#pieces?.isDone === false,
      ...(piece && { entries: piece.entries.map(({ key, value }) => ({ $typeName: "kas.v1.ViewEntry" as const, key, value })) }),
      ...(mustForget && { reset: true }),
      ...((mustForget || piece?.reset === true) && { rights: this.#topic?.rights ?? "" }),
      ...(connection && { connection }),
    });
  }

  /** The subscriber has disconnected. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#host.metrics.subscribers(-1);
    this.#leaveTopic();
    this.#proof?.release();
    this.#host.closed();
  }

  get #isProved(): boolean {
    return this.#topic !== undefined && this.#proof?.rights === this.#topic.rights;
  }

  #move(rights: string): void {
    this.#leaveTopic();
    if (this.#hasSomething) this.#mustForget = true;
    let topic: ViewTopic;
    try {
      topic = this.#host.enter(this, rights);
    } catch (error) {
      return this.ended(asFault(error));
    }
    this.#topic = topic;
    this.#reader = topic.read(() => this.#events.ready());
    this.#host.metrics.reset(this.#mustForget ? "rights" : "first");
  }

  #leaveTopic(): void {
    this.#pieces = undefined;
    this.#reader?.close();
    this.#reader = undefined;
    const topic = this.#topic;
    this.#topic = undefined;
    if (topic) this.#host.leave(this, topic);
  }

  #nextPiece() {
    const piece = this.#pieces?.next();
    if (piece !== undefined) return piece;
    this.#pieces = undefined;
    // The first thing of a topic is all of it, so it must be there.
    const change = this.#topic?.isWhole === true ? this.#reader?.take() : undefined;
    if (change === undefined) return undefined;
    if (change.reset && this.#hasSomething && !this.#mustForget) this.#host.metrics.reset("missed");
    this.#pieces = new ChangePieces(change, VIEW_BOUNDS.pieceBytes);
    return this.#pieces.next();
  }

  #news() {
    const now = this.#connection();
    if (this.#sent?.state === now.state && this.#sent.sinceMs === now.sinceMs) return undefined;
    this.#sent = now;
    const { state, sinceMs } = now;
    return create(ConnectionSchema, { state, ...timeField("since", sinceMs) });
  }

  #connection(): SentConnection {
    const { connection } = this.#host;
    if (connection.state !== "connected") return { state: OF_CONNECTION[connection.state], sinceMs: connection.sinceMs };
    const expiredMs = this.#proof?.expiredMs;
    if (!this.#isProved && expiredMs !== undefined) return { state: ConnectionState.RECONNECTING, sinceMs: expiredMs };
    const topic = this.#topic;
    if (topic?.isWhole !== true) return { state: ConnectionState.CONNECTING, sinceMs: undefined };
    if (!topic.isCurrent) return { state: ConnectionState.RECONNECTING, sinceMs: topic.lostMs };
    return { state: ConnectionState.CONNECTED, sinceMs: undefined };
  }
}

function asFault(error: unknown): Fault {
  return error instanceof Fault ? error : new Fault("internal", "the view could not be begun", { cause: error });
}
