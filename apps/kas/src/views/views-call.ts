import { randomUUID } from "node:crypto";

import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { GRPC_CODE } from "@binnacle/grpc-wire";
import {
  ViewsRequestSchema,
  ViewsResponseSchema,
  type ProveAnswer,
  type TopicEnd,
  type ViewsOffer,
  type ViewsResponse,
  type ViewUpdate,
} from "@binnacle/proto/kas-views";
import { Fault, type Clock } from "@binnacle/rpc";

import type { AgentCall, AgentCallListener, AgentRouter, CallResult } from "../agent-call/agent-call.ts";
import { VIEWS_CALL } from "../agent-call/routed-methods.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";

/** A request, as `create` takes it. */
export type ViewsRequestInit = NonNullable<MessageInitShape<typeof ViewsRequestSchema>["request"]>;

/** What a call tells its owner, synchronously. */
export interface ViewsCallEvents {
  offered(offer: ViewsOffer): void;
  proved(answer: ProveAnswer): void;
  /** @param bytes of the message that it came in */
  updated(update: ViewUpdate, bytes: number): void;
  topicEnded(end: TopicEnd): void;
  /** Once, last; not after `close`. */
  broken(fault: Fault): void;
}

/** How to reach the agent. */
export interface ViewsCallOptions {
  readonly router: AgentRouter;
  readonly clock: Clock;
  readonly agentId: bigint;
  /** How long to wait for a tunnel. */
  readonly waitMs: number;
  /** Hears of what an agent must not do. */
  readonly onViolation: (fault: Fault) => void;
}

/** The first answer costs the agent nothing. */
const OFFER_WITHIN_MS = 15_000;
/** A word of an agent that ends up in a header. */
const ENGINE = /^[\x21-\x7e]{0,128}$/;

/** One call of `kas.v1.AgentViews/Connect`: encodes and decodes its messages, and cuts an agent that breaks its rules. */
export class ViewsCall implements AgentCallListener {
  readonly #options: ViewsCallOptions;
  readonly #events: ViewsCallEvents;
  readonly #left = new AbortController();
  /** What waits for the tunnel, or for room in it. */
  readonly #unsent: ViewsRequestInit[] = [];
  #call: AgentCall | undefined;
  #hasRoom = false;
  #offered = false;
  #over = false;
  #cancelWait = (): void => undefined;

  private constructor(options: ViewsCallOptions, events: ViewsCallEvents) {
    this.#options = options;
    this.#events = events;
  }

  /** Begins it; everything that comes of it comes as an event, never before this returns. */
  static open(options: ViewsCallOptions, events: ViewsCallEvents): ViewsCall {
    const call = new ViewsCall(options, events);
    void call.#open(); // never rejects
    return call;
  }

  send(request: ViewsRequestInit): void {
    if (this.#over) return;
    this.#unsent.push(request);
    this.#flush();
  }

  /** Ends the call: there is no subscriber left. */
  close(): void {
    if (!this.#stop()) return;
    this.#left.abort(new Fault("cancelled", "the agent's views have no subscribers any more"));
    this.#call?.cancel();
  }

  /** The agent did what it must not: nothing more is taken from it in this call. */
  violated(what: string): void {
    if (!this.#stop()) return;
    const fault = new Fault("answer_broken", `the agent broke the rules of views: ${what}`);
    this.#options.onViolation(fault);
    this.#call?.cancel();
    this.#events.broken(fault);
  }

  header(): void {}

  message(data: Uint8Array): void {
    if (this.#over) return;
    if (data.byteLength > VIEW_BOUNDS.messageBytes) return this.violated(`a message of ${data.byteLength} bytes`);
    let response: ViewsResponse["response"];
    try {
      ({ response } = fromBinary(ViewsResponseSchema, data, { readUnknownFields: false }));
    } catch {
      return this.violated("a message that is none");
    }
    if (!this.#offered && response.case !== "offer") return this.violated("something else than its offer came first");
    switch (response.case) {
      case "offer":
        return this.#takeOffer(response.value);
      case "proved":
        return this.#events.proved(response.value);
      case "update":
        return this.#events.updated(response.value, data.byteLength);
      case "end":
        return this.#events.topicEnded(response.value);
      case undefined:
        return; // of a newer agent
    }
  }

  end({ code, message }: CallResult): void {
    const unserved = code === GRPC_CODE.unimplemented;
    this.#break(
      unserved
        ? new Fault("unknown_method", "the agent does not offer views")
        : new Fault("tunnel_broken", `the views of the agent have ended: ${message.slice(0, MAX_TEXT)}`),
    );
  }

  async #open(): Promise<void> {
    const { router, clock, agentId, waitMs } = this.#options;
    const context = { caller: { kind: "main_application", id: "views" }, traceId: randomUUID(), class: "watch", waitMs } as const;
    const request = { agentId, method: VIEWS_CALL, impersonation: true, context, signal: this.#left.signal };
    try {
      const call = await router.open(request, this);
      if (this.#over) return call.cancel();
      this.#call = call;
    } catch (error) {
      return this.#break(error instanceof Fault ? error : new Fault("internal", "views could not be requested", { cause: error }));
    }
    this.#call.onDrain(() => {
      this.#hasRoom = true;
      this.#flush();
    });
    this.#hasRoom = true;
    this.#flush();
    if (!this.#offered) this.#waitForOffer(clock);
  }

  #waitForOffer(clock: Clock): void {
    this.#cancelWait = clock.after(OFFER_WITHIN_MS, () => {
      if (!this.#stop()) return;
      this.#call?.cancel();
      this.#events.broken(
        new Fault("agent_silent", `the agent has not reported within ${OFFER_WITHIN_MS / 1_000} s which views it offers`),
      );
    });
  }

  #takeOffer(offer: ViewsOffer): void {
    const { engine, lacking } = offer;
    if (!ENGINE.test(engine)) return this.violated("an engine with an invalid name");
    if (lacking.length > VIEW_BOUNDS.lacking || lacking.some((text) => text.length > VIEW_BOUNDS.nameBytes))
      return this.violated("a huge offer");
    this.#offered = true;
    this.#cancelWait();
    this.#events.offered(offer);
  }

  #flush(): void {
    while (this.#hasRoom && !this.#over) {
      const request = this.#unsent.shift();
      if (request === undefined) return;
      this.#hasRoom = this.#call?.write([toBinary(ViewsRequestSchema, create(ViewsRequestSchema, { request }))]) ?? false;
    }
  }

  #break(fault: Fault): void {
    if (this.#stop()) this.#events.broken(fault);
  }

  /** @returns false when it was over already */
  #stop(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#cancelWait();
    this.#unsent.length = 0;
    return true;
  }
}

const MAX_TEXT = 300;
