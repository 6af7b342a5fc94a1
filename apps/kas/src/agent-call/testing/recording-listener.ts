import type { Metadata } from "@binnacle/grpc-wire";

import type { AgentCallListener, CallResult } from "../agent-call.ts";

/** Remembers what an agent answered; `ended` settles with how the call ended. */
export class RecordingListener implements AgentCallListener {
  readonly messages: string[] = [];
  readonly headers: Metadata[] = [];
  readonly ended: Promise<CallResult>;
  bytes = 0;
  #settle: (result: CallResult) => void = () => undefined;
  #onMessage: (() => void)[] = [];

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  header(metadata: Metadata): void {
    this.headers.push(metadata);
  }

  message(data: Uint8Array): void {
    this.bytes += data.byteLength;
    if (data.byteLength < 1_000) this.messages.push(Buffer.from(data).toString());
    for (const wake of this.#onMessage.splice(0)) wake();
  }

  /** Settles when the next message has come. */
  nextMessage(): Promise<void> {
    return new Promise((resolve) => this.#onMessage.push(resolve));
  }

  end(result: CallResult): void {
    this.#settle(result);
  }
}
