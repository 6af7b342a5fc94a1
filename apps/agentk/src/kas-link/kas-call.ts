import type { ClientHttp2Session } from "node:http2";

import { GRPC_CODE, GrpcClientStream, NO_METADATA, type GrpcStatus, type Metadata } from "@binnacle/grpc-wire";

/** One call to kas whose messages are all there when it begins. */
export interface KasCall {
  readonly session: ClientHttp2Session;
  /** "/package.Service/Method". */
  readonly path: string;
  /** @throws Error when the token file cannot be read */
  readonly metadata: () => Metadata;
  readonly messages: readonly Uint8Array[];
  /** Called with each message of the answer, a view. What it throws ends the call. */
  readonly answered?: (data: Uint8Array) => void;
  /** Cancels the call. */
  readonly signal: AbortSignal;
}

/** How a call ended. */
export interface KasAnswer {
  readonly status: GrpcStatus;
  readonly trailer: Metadata;
  /** Not by a word of kas. @see GrpcCallListener.end */
  readonly isCut: boolean;
}

/** Sends the messages and settles when the call has ended. Never rejects. */
export function callKas({ session, path, metadata, messages, answered, signal }: KasCall): Promise<KasAnswer> {
  return new Promise((resolve) => {
    let call: GrpcClientStream | undefined;
    const cancel = (): void => call?.cancel();
    const settle = (status: GrpcStatus, trailer: Metadata, isCut: boolean): void => {
      signal.removeEventListener("abort", cancel);
      resolve({ status, trailer, isCut });
    };
    try {
      call = new GrpcClientStream({ session, path, metadata: metadata() }, { message: (data) => answered?.(data), end: settle });
    } catch (error) {
      const message = `the token file cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      return settle({ code: GRPC_CODE.unauthenticated, message }, NO_METADATA, false);
    }
    signal.addEventListener("abort", cancel, { once: true });
    for (const message of messages) call.write([message]);
    call.closeSend();
    if (signal.aborted) cancel();
  });
}
