import type { GrpcStatus } from "@binnacle/grpc-wire";

import type { AgentCallHandler, AgentCallReply } from "../agent-call.ts";

/** For tests: kas' side of one call that the agent answers. */
export abstract class KasCaller {
  status: GrpcStatus | undefined;
  /** Nothing is taken from the agent while true. */
  isFull = false;
  #call!: AgentCallHandler;
  #drained: () => void = () => {};

  /** Starts the call; a subclass calls it once, when it can receive messages. */
  protected begin(open: (reply: AgentCallReply) => AgentCallHandler): void {
    this.#call = open({
      header: () => {},
      message: (pieces) => {
        this.take(Buffer.concat(pieces));
        return !this.isFull;
      },
      onDrain: (resume) => (this.#drained = resume),
      upgraded: () => {},
      pause: () => {},
      resume: () => {},
      end: (status) => (this.status ??= status),
    });
  }

  /** @throws Fault what ends the call */
  protected send(message: Uint8Array): void {
    this.#call.message(message);
  }

  protected closeSend(): void {
    this.#call.closeSend();
  }

  /** There is room again. */
  drain(): void {
    this.isFull = false;
    this.#drained();
  }

  cancel(): void {
    this.#call.cancelled();
  }

  /** Receives one message of the agent. */
  protected abstract take(message: Buffer): void;
}
