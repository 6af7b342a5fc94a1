import type { ClientHttp2Session } from "node:http2";

import { dialHttp2, encodeFrame, GrpcClientStream, HTTP_RESPONSE_DATA, CONNECT_REQUEST_MESSAGE, wrapFrame } from "@binnacle/grpc-wire";
import { HttpRequestSchema, HttpResponseSchema } from "@binnacle/proto/grpctool";
import { ConnectRequestSchema, ConnectResponseSchema } from "@binnacle/proto/reverse-tunnel";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";

/** A request for the cluster, as it reached the agent. */
export interface TunnelledRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

/** What an agent answers; `undefined`: nothing, as a watch without events. */
export type TunnelledAnswer = string | undefined;

/** How a tunnel ended that kas did not want. */
export interface TunnelFailure {
  readonly code: number;
  readonly message: string;
  /** When to come back, as the trailer says; undefined: it does not. */
  readonly retryAfterSeconds: number | undefined;
}

/** How a tunnel agent behaves. */
export interface TunnelAgentOptions {
  readonly token: string;
  readonly tunnels: number;
  /** Says what our agentk says: that it impersonates, and that it opens no more tunnels than these. Default: says nothing, as Go agents. */
  readonly capable?: boolean;
  /** PEM text of the authority to trust. */
  readonly ca?: string;
  /** Default: an empty object. */
  readonly answer?: (request: TunnelledRequest) => TunnelledAnswer;
}

const CONNECT = "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect";
const SERVICE = { name: "gitlab.agent.kubernetes_api.rpc.KubernetesApi", methods: [{ name: "MakeRequest" }] };

/** A small agent with good manners and without a cluster: thousands fit into one test. Each used tunnel is opened again. */
export class TunnelAgent {
  readonly #session: ClientHttp2Session;
  readonly #options: TunnelAgentOptions;
  /** Tunnels that kas refused or broke off. */
  readonly failures: TunnelFailure[] = [];
  #accepted = 0;

  private constructor(session: ClientHttp2Session, options: TunnelAgentOptions) {
    this.#session = session;
    this.#options = options;
    session.on("error", () => undefined);
  }

  /** @param url `grpc://host:port`, `ws://…` @throws Fault `peer_unreachable` */
  static async connect(url: string, options: TunnelAgentOptions): Promise<TunnelAgent> {
    const agent = new TunnelAgent(await dialHttp2(url, { ca: options.ca, timeoutMs: 60_000 }), options);
    for (let count = 0; count < options.tunnels; count += 1) agent.#open();
    return agent;
  }

  /** Tunnels that kas has taken so far. */
  get accepted(): number {
    return this.#accepted;
  }

  close(): void {
    this.#session.destroy();
  }

  #open(): void {
    if (this.#session.destroyed || this.#session.closed) return;
    let over = false;
    const { token, tunnels, capable = false } = this.#options;
    const says: [string, string[]][] = capable
      ? [
          ["agentk-caps", ["impersonation"]],
          ["agentk-max-tunnels", [String(tunnels)]],
        ]
      : [];
    const stream: GrpcClientStream = new GrpcClientStream(
      { session: this.#session, path: CONNECT, metadata: new Map([["authorization", [`Bearer ${token}`]], ...says]) },
      {
        header: () => void (this.#accepted += 1),
        message: (data) => {
          const { msg } = fromBinary(ConnectResponseSchema, data);
          if (msg.case !== "message") return;
          const { message } = fromBinary(HttpRequestSchema, msg.value.data);
          if (message.case === "header") this.#answer(stream, requestOf(message.value.request));
        },
        end: ({ code, message }, trailer) => {
          if (over) return;
          over = true;
          if (code === 0 || code === 1) setImmediate(() => this.#open());
          else {
            const seconds = trailer.get("retry-after")?.[0];
            this.failures.push({ code, message, retryAfterSeconds: seconds === undefined ? undefined : Number(seconds) });
          }
        },
      },
    );
    writeTo(stream, { case: "descriptor", value: { agentDescriptor: { services: [SERVICE] } } });
  }

  #answer(stream: GrpcClientStream, request: TunnelledRequest): void {
    const { answer = () => "{}" } = this.#options;
    writeTo(stream, { case: "header", value: { meta: {} } });
    const header = { "Content-Type": { value: ["application/json"] } };
    const body = answer(request);
    writeHttp(stream, { case: "header", value: { response: { statusCode: 200, status: "200 OK", header } } });
    if (body === undefined) return;
    stream.writeFrame(wrapFrame([...CONNECT_REQUEST_MESSAGE, ...HTTP_RESPONSE_DATA], [Buffer.from(body)]));
    writeHttp(stream, { case: "trailer", value: {} });
    writeTo(stream, { case: "trailer", value: { meta: {} } });
    stream.closeSend();
  }
}

type AgentMessage = NonNullable<MessageInitShape<typeof ConnectRequestSchema>["msg"]>;
type HttpMessage = NonNullable<MessageInitShape<typeof HttpResponseSchema>["message"]>;

function writeTo(stream: GrpcClientStream, msg: AgentMessage): void {
  stream.writeFrame(encodeFrame([toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { msg }))]));
}

function writeHttp(stream: GrpcClientStream, message: HttpMessage): void {
  const data = toBinary(HttpResponseSchema, create(HttpResponseSchema, { message }));
  writeTo(stream, { case: "message", value: { data } });
}

function requestOf(
  request:
    | { readonly method: string; readonly urlPath: string; readonly query: Readonly<Record<string, { value: readonly string[] }>> }
    | undefined,
): TunnelledRequest {
  const query = Object.entries(request?.query ?? {}).flatMap(([name, { value }]) => value.map((each): [string, string] => [name, each]));
  return { method: request?.method ?? "", path: request?.urlPath ?? "", query: new URLSearchParams(query).toString() };
}
