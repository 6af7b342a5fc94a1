import { fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { KubeClientError } from "@binnacle/environment-view";
import { GRPC_CODE, STATUS_OK } from "@binnacle/grpc-wire";
import { ViewsRequestSchema, type ProveRequest, type SubscribeRequest } from "@binnacle/proto/kas-views";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentCallHandler, AgentCallReply } from "../../reverse-tunnel/agent-call.ts";
import { readViewRequest, type ViewRequest } from "../view-request.ts";
import type { OwnRights } from "../own-rights.ts";
import type { RightsProof } from "../rights/rights-book.ts";
import { ReceivedRules } from "../rules/received-rules.ts";
import type { RulesInForce } from "../rules/rules-in-force.ts";
import type { TopicPlace, Topics } from "../topics.ts";
import { viewerOf, type AgentViewer, type TransportAs } from "../viewer.ts";
import { Outbox } from "./outbox.ts";

/** Views that one kas reads at a time. */
const MAX_TOPICS = 5_000;
/** Interval between rechecks of the viewer of a topic: lost rights end within a minute. */
const PROOF_MS = 30_000;
/** Delay after a recheck that failed. */
const AGAIN_MS = 5_000;
/** A topic ends when its last successful recheck is older than this. */
const UNPROVED_MS = 60_000;

/** What a call works with. */
export interface ViewsCallOptions {
  readonly topics: Pick<Topics, "prove" | "join">;
  readonly rules: Pick<RulesInForce, "load">;
  readonly transportAs: TransportAs;
  readonly clock: Clock;
  readonly log: Logger;
  readonly reply: AgentCallReply;
  /** What this agent offers. */
  readonly offer: Pick<OwnRights, "follow">;
  /** The call has ended. */
  readonly ended: () => void;
}

interface Subscription {
  readonly rights: string;
  viewer: AgentViewer;
  place: TopicPlace | undefined;
  close: () => void;
}

/** All views that a kas reads of this agent, over one call: the requests of kas and the responses. */
export class ViewsCall implements AgentCallHandler {
  readonly #options: ViewsCallOptions;
  readonly #outbox: Outbox;
  readonly #subscriptions = new Map<bigint, Subscription>();
  readonly #rules: ReceivedRules;
  readonly #stop = new AbortController();
  readonly #endOffer: () => void;

  constructor(options: ViewsCallOptions) {
    this.#options = options;
    this.#rules = new ReceivedRules(options.rules);
    this.#outbox = new Outbox(options.reply);
    this.#endOffer = options.offer.follow(({ engine, lacking }) =>
      this.#outbox.say({ case: "offer", value: { engine, lacking: [...lacking] } }),
    );
  }

  message(data: Uint8Array): void {
    const { request } = decode(data);
    switch (request.case) {
      case "prove":
        return void this.#prove(request.value);
      case "subscribe":
        return void this.#subscribe(request.value);
      case "carrier": {
        const subscription = this.#subscriptions.get(request.value.topic);
        if (subscription === undefined) return;
        subscription.viewer = viewerOf(request.value.viewer, this.#options.transportAs);
        subscription.place?.carry(subscription.viewer);
        return;
      }
      case "unsubscribe":
        return this.#leave(request.value.topic);
      case "healthRules":
        return this.#rules.take(request.value);
      case "healthRulesDone":
        return this.#rules.done(request.value);
      case undefined:
        // A newer kas says something that is not known here.
        return;
    }
  }

  closeSend(): void {
    this.#end();
    this.#options.reply.end(STATUS_OK);
  }

  cancelled(): void {
    this.#end();
  }

  /** This agent goes away. */
  leave(): void {
    this.#end();
    this.#options.reply.end({ code: GRPC_CODE.unavailable, message: "this agent goes away" });
  }

  async #prove({ id, viewer, view }: ProveRequest): Promise<void> {
    const { topics, transportAs, clock } = this.#options;
    try {
      const { rights, requestedMs } = await topics.prove(
        viewerOf(viewer, transportAs),
        await readViewRequest(view, this.#rules),
        this.#stop.signal,
      );
      this.#outbox.say({ case: "proved", value: { id, rights: rights.id, ageMs: Math.max(0, clock.now() - requestedMs) } });
    } catch (error) {
      this.#outbox.say({ case: "proved", value: { id, ...this.#failureOf(error) } });
    }
  }

  async #subscribe({ topic, view, rights, viewer }: SubscribeRequest): Promise<void> {
    if (this.#subscriptions.has(topic)) return;
    try {
      if (this.#subscriptions.size >= MAX_TOPICS) throw new Fault("over_budget", `more than ${MAX_TOPICS} views at a time`);
      const subscription: Subscription = {
        rights,
        viewer: viewerOf(viewer, this.#options.transportAs),
        place: undefined,
        close: () => {},
      };
      this.#subscriptions.set(topic, subscription);
      await this.#open(topic, subscription, view);
    } catch (error) {
      this.#finish(topic, this.#failureOf(error));
    }
  }

  async #open(topic: bigint, subscription: Subscription, view: SubscribeRequest["view"]): Promise<void> {
    const { topics } = this.#options;
    const request = await readViewRequest(view, this.#rules);
    const proof = await topics.prove(subscription.viewer, request, this.#stop.signal);
    // Meanwhile kas may have ended it.
    if (this.#subscriptions.get(topic) !== subscription) return;
    if (proof.rights.id !== subscription.rights) return this.#finish(topic, CHANGED);
    const place = topics.join(request, proof.rights, subscription.viewer);
    subscription.place = place;
    const reader = place.table.open(() => this.#outbox.ready(topic, reader));
    const stopRechecks = this.#recheckAccess(topic, subscription, { request, proof });
    subscription.close = () => {
      stopRechecks();
      reader.close();
      place.leave();
    };
  }

  /** Rechecks that the viewer of a topic may still read it; when no recheck succeeds for a minute, the topic ends. */
  #recheckAccess(
    topic: bigint,
    subscription: Subscription,
    { request, proof: first }: { readonly request: ViewRequest; readonly proof: RightsProof },
  ): () => void {
    const { clock, topics } = this.#options;
    let provedMs = first.requestedMs;
    let cancel = (): void => {};
    const prove = async (): Promise<void> => {
      let failure: unknown;
      try {
        const proof = await topics.prove(subscription.viewer, request, this.#stop.signal);
        if (this.#subscriptions.get(topic) !== subscription) return;
        if (proof.rights.id !== subscription.rights) return this.#finish(topic, CHANGED);
        provedMs = proof.requestedMs;
      } catch (error) {
        failure = error;
      }
      if (this.#subscriptions.get(topic) !== subscription) return;
      if (failure !== undefined && clock.now() - provedMs >= UNPROVED_MS) return this.#finish(topic, this.#failureOf(failure));
      again(failure === undefined ? PROOF_MS : AGAIN_MS);
    };
    const again = (ms: number): void => void (cancel = clock.after(ms, () => void prove())); // never rejects
    again(PROOF_MS);
    return () => cancel();
  }

  #finish(topic: bigint, why: { readonly reason: string; readonly message: string }): void {
    this.#leave(topic);
    this.#outbox.say({ case: "end", value: { topic, ...why } });
  }

  #leave(topic: bigint): void {
    const subscription = this.#subscriptions.get(topic);
    this.#subscriptions.delete(topic);
    this.#outbox.forget(topic);
    subscription?.close();
  }

  #end(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#endOffer();
    this.#outbox.close();
    for (const topic of this.#subscriptions.keys()) this.#leave(topic);
    this.#options.ended();
  }

  #failureOf(error: unknown): { readonly reason: string; readonly message: string } {
    if (error instanceof Fault) return { reason: error.reason, message: error.message };
    if (error instanceof KubeClientError) return { reason: "cluster_unavailable", message: error.message };
    // What this call has aborted at its own end: its viewers have left, and nothing has failed.
    if (this.#stop.signal.aborted) return { reason: "cancelled", message: "the call has ended" };
    this.#options.log.error({ error }, "a view failed");
    return { reason: "internal", message: "a view failed" };
  }
}

const CHANGED = { reason: "rights_changed", message: "what the viewer may read has changed" };

function decode(data: Uint8Array): MessageShape<typeof ViewsRequestSchema> {
  try {
    return fromBinary(ViewsRequestSchema, data);
  } catch (error) {
    throw new Fault("invalid_request", "a message about views cannot be read", { cause: error });
  }
}
