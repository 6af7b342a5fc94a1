import { HttpRequestSchema } from "@binnacle/proto/grpctool";
import { type GrpcClientStream, GRPC_CODE, type GrpcStatus } from "@binnacle/grpc-wire";
import type { Clock } from "@binnacle/rpc";
import { fromBinary } from "@bufbuild/protobuf";

import { FakeAgent, type FakeAgentCall } from "./fake-agent.ts";
import { assumedUserAgent, RECORDED_USER_AGENT } from "./user-agents.ts";

/** The first back-off of a tunnel; the original waits anything between this and twice as much. */
export const GO_BACKOFF_MS = 10_000;
const GO_MAX_BACKOFF_MS = 300_000;

/** What the Go agent is. */
export interface GoAgentOptions {
  readonly token: string;
  readonly clock: Clock;
  /** As its user-agent says it. Default: 14.1.1, which does not stop when it is reset; any other does. */
  readonly version?: string;
}

/** The request of one tunnel to the cluster; the test is the cluster. */
export interface ClusterRequest {
  /** `cancelled`: the agent cancelled the request to the cluster. */
  readonly state: "running" | "cancelled" | "answered";
  /** The whole of it has come. */
  readonly sent: boolean;
  /** The cluster says something; an agent whose tunnel is gone notices it now, and cancels. */
  yields(bytes?: number): void;
  /** The cluster's answer ends. */
  ends(): void;
}

/** One of its ten tunnels: it opens a stream after the other, and has a back-off of its own. */
interface Slot {
  backoffMs: number;
  call?: RunningCall | undefined;
}

/**
 * A Go agentk, as far as its ten tunnels go. It looks at how kas ended a tunnel only when the request in the cluster is over, and only an
 * end that both sides came to in order is good: after any other one that tunnel stays away for its back-off.
 */
export class GoAgent {
  /** In the order in which they came. */
  readonly requests: ClusterRequest[] = [];
  /** How often a tunnel stayed away. */
  backOffs = 0;
  readonly #options: GoAgentOptions;
  readonly #slots = new Map<GrpcClientStream, Slot>();
  #agent: FakeAgent | undefined;

  private constructor(options: GoAgentOptions) {
    this.#options = options;
  }

  static async connect(url: string, options: GoAgentOptions): Promise<GoAgent> {
    const go = new GoAgent(options);
    const { token, version = "14.1.1" } = options;
    go.#agent = await FakeAgent.connect(url, {
      token,
      tunnels: 0,
      metadata: { "user-agent": version === "14.1.1" ? RECORDED_USER_AGENT[version] : assumedUserAgent(`v${version}`) },
      onCall: (call) => go.#called(call),
      onEnd: (tunnel, end) => go.#ended(tunnel, end),
    });
    for (let count = 0; count < 10; count += 1) go.#open({ backoffMs: GO_BACKOFF_MS });
    return go;
  }

  stop(): void {
    this.#agent?.stop();
  }

  #open(slot: Slot): void {
    const tunnel = this.#agent?.openTunnel();
    if (tunnel) this.#slots.set(tunnel, slot);
  }

  #called(call: FakeAgentCall): void {
    const slot = this.#slots.get(call.stream);
    if (!slot) return;
    slot.call = new RunningCall(call, (orderly) => this.#over(slot, orderly));
    this.requests.push(slot.call);
  }

  #ended(tunnel: GrpcClientStream, end: GrpcStatus): void {
    const slot = this.#slots.get(tunnel);
    this.#slots.delete(tunnel);
    if (!slot) return;
    if (slot.call === undefined) return this.#over(slot, end.code === GRPC_CODE.ok);
    const stops = this.#options.version !== undefined && end.code === GRPC_CODE.cancelled;
    slot.call.tunnelEnded(end, stops);
  }

  #over(slot: Slot, orderly: boolean): void {
    slot.call = undefined;
    if (orderly) return this.#open(slot);
    this.backOffs += 1;
    this.#options.clock.after(slot.backoffMs, () => this.#open(slot));
    slot.backoffMs = Math.min(2 * slot.backoffMs, GO_MAX_BACKOFF_MS);
  }
}

class RunningCall implements ClusterRequest {
  state: ClusterRequest["state"] = "running";
  sent = false;
  readonly #call: FakeAgentCall;
  readonly #over: (orderly: boolean) => void;
  #end: GrpcStatus | undefined;

  /** @param over called once, when both the tunnel and the request have ended; whether everything went in order */
  constructor(call: FakeAgentCall, over: (orderly: boolean) => void) {
    this.#call = call;
    this.#over = over;
    call.header();
    call.onMessage = (data) => this.#read(data);
    call.onCloseSend = () => (this.sent = true);
  }

  yields(bytes = 1): void {
    if (this.state !== "running") return;
    if (this.#end) this.#stop(false);
    else this.#call.message(new Uint8Array(bytes));
  }

  ends(): void {
    if (this.state !== "running") return;
    this.state = "answered";
    // What it has to say of the end does not get out any more: an error.
    if (this.#end) this.#over(false);
    else this.#call.finish();
  }

  tunnelEnded(end: GrpcStatus, stops: boolean): void {
    if (this.state !== "running") return this.#over(end.code === GRPC_CODE.ok);
    if (stops) return this.#stop(true);
    this.#end = end;
  }

  #stop(orderly: boolean): void {
    this.state = "cancelled";
    this.#over(orderly);
  }

  /** What cannot be decoded ends the request, in order. */
  #read(data: Uint8Array): void {
    try {
      fromBinary(HttpRequestSchema, data);
    } catch {
      this.state = "cancelled";
      this.#call.finish(GRPC_CODE.internal, "grpc: failed to unmarshal the received message");
    }
  }
}
