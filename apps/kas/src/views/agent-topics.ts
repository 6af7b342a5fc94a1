import type { ByteLedger } from "@binnacle/grpc-wire";
import type { TopicEnd, ViewUpdate } from "@binnacle/proto/kas-views";
import { ChangeError } from "@binnacle/replica";
import { Fault, type Clock } from "@binnacle/rpc";

import { agentFault, isTransient } from "./agent-fault.ts";
import type { CanonicalSpec } from "./canonical-spec.ts";
import { LINGER_MS, VIEW_BOUNDS } from "./view-bounds.ts";
import { SentRules } from "./sent-rules.ts";
import { ViewTopic, type TopicMember } from "./view-topic.ts";
import type { ViewsRequestInit } from "./views-call.ts";
import type { ViewsMetrics } from "./views-metrics.ts";

/** What topics need of the connection to their agent. */
export interface AgentTopicsOptions {
  readonly agentId: bigint;
  readonly clock: Clock;
  readonly ledger: ByteLedger;
  readonly metrics: ViewsMetrics;
  readonly send: (request: ViewsRequestInit) => void;
  /** The agent does what it must not: ends the call. */
  readonly violated: (what: string) => void;
  /** The agent sends more than is kept here: counted and logged. */
  readonly onViolation: (fault: Fault) => void;
  /** The last topic has gone. */
  readonly onEmpty: () => void;
  readonly random?: (() => number) | undefined;
}

/** A view that was too large, or that the agent rejected, is not requested again within this time. */
const REFUSED_FOR_MS = 60_000;

/** The views of one agent that have subscribers: one for each spec and rights, with any number of subscribers. */
export class AgentTopics {
  readonly #options: AgentTopicsOptions;
  readonly #topics = new Map<string, ViewTopic>();
  /** Those that are subscribed at the agent now, by id. */
  readonly #subscribed = new Map<bigint, ViewTopic>();
  readonly #refused = new Map<string, Fault>();
  readonly #rules: SentRules;
  #lastId = 0n;
  #strayBytes = 0;
  #connected = false;

  constructor(options: AgentTopicsOptions) {
    this.#options = options;
    const send = (request: ViewsRequestInit): void => {
      if (this.#connected) options.send(request);
    };
    this.#rules = new SentRules({ ...options, send, cut: (name, fault) => this.#endNaming(name, fault) });
  }

  get size(): number {
    return this.#topics.size;
  }

  /** Adds a member to the topic of its rights. @throws Fault `queue_full`, or why the agent does not serve the topic */
  enter(member: TopicMember, spec: CanonicalSpec, rights: string): ViewTopic {
    const key = keyOf(spec, rights);
    const refused = this.#refused.get(key);
    if (refused) throw refused;
    const topic = this.#topics.get(key) ?? this.#begin(key, spec, rights);
    if (topic.members.size >= VIEW_BOUNDS.subscribersPerTopic)
      throw new Fault("queue_full", `${VIEW_BOUNDS.subscribersPerTopic} look at this view already`, { retryAfterSeconds: 30 });
    const isFirst = topic.members.size === 0;
    topic.members.add(member);
    if (!isFirst) return topic;
    topic.cancelLater();
    if (topic.subscribed === undefined) this.#subscribe(topic);
    else this.#carry(topic);
    return topic;
  }

  /** Removes a member; a topic without members ends a while later. */
  leave(member: TopicMember, topic: ViewTopic): void {
    topic.members.delete(member);
    if (this.#topics.get(keyOf(topic.spec, topic.rights)) !== topic) return;
    if (topic.members.size > 0) return this.#carry(topic);
    if (!this.#connected) return this.#drop(topic);
    topic.cancelLater();
    topic.cancelLater = this.#options.clock.after(LINGER_MS, () => this.#drop(topic));
  }

  /** A call is open: all topics are subscribed again. @param refusal why the connected agent does not support a spec */
  up(refusal: (spec: CanonicalSpec) => Fault | undefined): void {
    this.#connected = true;
    this.#strayBytes = 0;
    this.#refused.clear();
    for (const topic of this.#topics.values()) {
      const fault = refusal(topic.spec);
      if (fault) this.#end(topic, fault);
      else this.#subscribe(topic);
    }
  }

  /** The call has ended: received state stays, and is no longer confirmed. */
  down(): void {
    this.#connected = false;
    this.#subscribed.clear();
    this.#rules.down();
    for (const topic of this.#topics.values()) {
      topic.cancelLater();
      topic.lose();
      if (topic.members.size === 0) this.#drop(topic);
    }
  }

  updated(update: ViewUpdate, bytes: number): void {
    const { metrics, violated, onViolation } = this.#options;
    metrics.bytes("in", bytes);
    const topic = this.#subscribed.get(update.topic);
    if (topic === undefined) return this.#stray(update.topic, bytes);
    try {
      topic.receive(update);
    } catch (error) {
      if (!(error instanceof ChangeError)) throw error;
      if (error.kind === "rules") return violated(error.message);
      const fault = new Fault("message_too_large", `the view is too large: ${error.message}`);
      onViolation(fault);
      this.#unsubscribe(topic);
      this.#end(topic, fault);
    }
  }

  ended({ topic: id, reason, message }: TopicEnd): void {
    const topic = this.#subscribed.get(id);
    if (topic === undefined) return this.#stray(id, 0);
    this.#subscribed.delete(id);
    topic.lose();
    if (topic.members.size === 0) return this.#drop(topic);
    if (reason === "rights_changed") {
      this.#later(topic);
      for (const member of topic.members) member.invalidate();
    } else {
      const fault = agentFault(reason, message === "" ? "the agent has ended the view" : message);
      if (isTransient(fault)) this.#later(topic);
      else this.#end(topic, fault);
    }
    for (const member of topic.members) member.changed();
  }

  /** Ends all topics: there is no subscriber left. */
  close(): void {
    for (const topic of this.#topics.values()) this.#forget(topic);
  }

  #begin(key: string, spec: CanonicalSpec, rights: string): ViewTopic {
    const { agentId, clock, ledger, metrics, random } = this.#options;
    this.#makeRoom();
    this.#rules.hold(spec.healthRules);
    const topic = new ViewTopic({ spec, rights, clock, metrics, random });
    const account = ledger.open({ kind: "agent", id: String(agentId) }, (fault) => {
      this.#unsubscribe(topic);
      this.#end(topic, fault);
    });
    topic.bookAt(account);
    this.#topics.set(key, topic);
    metrics.topics(1);
    return topic;
  }

  /** @throws Fault `queue_full` */
  #makeRoom(): void {
    if (this.#topics.size < VIEW_BOUNDS.topicsPerAgent) return;
    const left = this.#topics.values().find(({ members }) => members.size === 0);
    if (left === undefined)
      throw new Fault("queue_full", `${VIEW_BOUNDS.topicsPerAgent} views of the agent are looked at already`, { retryAfterSeconds: 30 });
    this.#drop(left);
  }

  #subscribe(topic: ViewTopic): void {
    const [carrier] = topic.members;
    if (!this.#connected || carrier === undefined) return;
    const id = (this.#lastId += 1n);
    topic.begin(id, carrier.viewer);
    this.#subscribed.set(id, topic);
    const { spec, rights } = topic;
    this.#rules.tell(spec.healthRules);
    this.#options.send({ case: "subscribe", value: { topic: id, view: spec.spec, rights, viewer: carrier.viewer.viewer } });
  }

  /** Begins a topic again that the agent has ended. */
  #later(topic: ViewTopic): void {
    topic.cancelLater();
    topic.cancelLater = this.#options.clock.after(topic.backoff.nextMs(), () => {
      if (topic.subscribed === undefined) this.#subscribe(topic);
    });
  }

  /** The carrier of a topic must be one of its members. */
  #carry({ subscribed, members }: ViewTopic): void {
    if (subscribed === undefined) return;
    const isThere = members.values().some(({ viewer }) => viewer.key === subscribed.carrier.key);
    const [next] = members;
    if (isThere || next === undefined) return;
    subscribed.carrier = next.viewer;
    this.#options.send({ case: "carrier", value: { topic: subscribed.id, viewer: next.viewer.viewer } });
  }

  /** What comes for a topic that has ended was on its way; what comes for none, or does not end, is a lie. */
  #stray(id: bigint, bytes: number): void {
    this.#strayBytes += bytes;
    if (id === 0n || id > this.#lastId) this.#options.violated("a topic that was not requested");
    else if (this.#strayBytes > VIEW_BOUNDS.strayBytes) this.#options.violated("a topic that goes on after its end");
  }

  #unsubscribe({ subscribed }: ViewTopic): void {
    if (subscribed === undefined) return;
    this.#subscribed.delete(subscribed.id);
    this.#options.send({ case: "unsubscribe", value: { topic: subscribed.id } });
  }

  #drop(topic: ViewTopic): void {
    this.#unsubscribe(topic);
    this.#forget(topic);
    if (this.#topics.size === 0) this.#options.onEmpty();
  }

  /** Ends the topic for all members, with the reason; new members receive the same reason for a while. */
  #end(topic: ViewTopic, fault: Fault): void {
    const key = keyOf(topic.spec, topic.rights);
    if (this.#topics.get(key) !== topic) return;
    this.#refused.set(key, fault);
    this.#options.clock.after(REFUSED_FOR_MS, () => this.#refused.delete(key));
    this.#forget(topic);
    for (const member of topic.members) member.ended(fault);
    if (this.#topics.size === 0) this.#options.onEmpty();
  }

  #endNaming(name: string, fault: Fault): void {
    for (const topic of this.#topics.values()) {
      if (!topic.spec.healthRules.has(name)) continue;
      this.#unsubscribe(topic);
      this.#end(topic, fault);
    }
  }

  #forget(topic: ViewTopic): void {
    const key = keyOf(topic.spec, topic.rights);
    if (this.#topics.get(key) !== topic) return;
    this.#topics.delete(key);
    if (topic.subscribed) this.#subscribed.delete(topic.subscribed.id);
    this.#rules.release(topic.spec.healthRules);
    topic.close();
    this.#options.metrics.topics(-1);
  }
}

function keyOf({ key }: CanonicalSpec, rights: string): string {
  return `${key} ${rights}`;
}
