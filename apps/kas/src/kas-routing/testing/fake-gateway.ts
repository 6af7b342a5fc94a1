import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";

import { GrpcServerStream, serverSessionOptions, STATUS_OK, type Metadata } from "@binnacle/grpc-wire";

import { gatewaySignalFrame } from "../gateway-frames.ts";
import { encodeWait, TUNNEL_WAITS_PATH, type WaitAnswer } from "../wait-frames.ts";

/** One stream of a kas, as the fake sees it. */
export interface FakeGatewayStream {
  readonly ticket: string | undefined;
  readonly grpc: GrpcServerStream;
  readonly session: ServerHttp2Session;
  /** Messages so far; the first of a call is StartStreaming. */
  messages: number;
  /** Sends the complete answer of a kas without a tunnel. */
  noTunnel(): void;
}

/** How a fake gateway behaves; it may lie as it likes. */
export interface FakeGatewayBehaviour {
  /** A kas requests a tunnel. */
  onAsk(stream: FakeGatewayStream): void;
  /** A message of a call that has started. */
  onMessage?(stream: FakeGatewayStream): void;
  /** A message on the stream for waits. */
  onWait?(stream: FakeGatewayStream, message: { readonly kind: string; readonly id: number }): void;
}

/** Another kas that is not bound by any rule. */
export interface FakeGateway {
  readonly url: string;
  readonly sessions: ReadonlySet<ServerHttp2Session>;
  stop(): void;
}

/** Starts a fake gateway on a free loopback port. It believes every token. */
export async function startFakeGateway(behaviour: FakeGatewayBehaviour, maxStreams = 1_000): Promise<FakeGateway> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(serverSessionOptions(maxStreams));
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined);
    session.on("close", () => sessions.delete(session));
  });
  server.on("stream", (stream, headers) => {
    const session = stream.session as ServerHttp2Session; // a stream of a server
    const isWait = headers[":path"] === TUNNEL_WAITS_PATH;
    const ticket = headers["kas-hop-ticket"];
    const fake: FakeGatewayStream = {
      ticket: typeof ticket === "string" ? ticket : undefined,
      session,
      messages: 0,
      grpc: new GrpcServerStream(
        { stream, headers },
        {
          message(data) {
            fake.messages += 1;
            // Messages of a kas about waiting are such objects.
            if (isWait) behaviour.onWait?.(fake, JSON.parse(Buffer.from(data).toString()) as { kind: string; id: number });
            else behaviour.onMessage?.(fake);
          },
        },
      ),
      noTunnel: () => endWithoutTunnel(fake.grpc),
    };
    if (isWait) fake.grpc.sendHeader();
    else behaviour.onAsk(fake);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `grpc://127.0.0.1:${(server.address() as AddressInfo).port}`, // bound to a port
    sessions,
    stop() {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}

/** Sends an answer about waiting. */
export function answerWait(stream: FakeGatewayStream, answer: WaitAnswer): void {
  stream.grpc.write([encodeWait(answer)]);
}

function endWithoutTunnel(grpc: GrpcServerStream): void {
  const outcome: Metadata = new Map([["kas-hop-outcome", ["busy"]]]);
  grpc.sendHeader(outcome);
  grpc.writeFrame(gatewaySignalFrame("noTunnel"));
  grpc.end(STATUS_OK, outcome);
}
