import { sleep } from "@binnacle/rpc";

import { badRequest } from "../status.ts";
import type { ByteSink, ByteSource } from "./byte-streams.ts";
import { SpdyConnection } from "./spdy-connection.ts";
import type { SpdyStream } from "./spdy-stream.ts";
import { acceptSpdy, acceptWebSocket, agree, bytesOf, type StreamSettings, type Upgrade } from "./upgrade.ts";
import { WebSocketChannels } from "./websocket-channels.ts";

/**
 * Serves one forwarded connection to its end.
 *
 * @returns an error for the client when nothing listens on the port
 */
export type ForwardPort = (port: number, connection: ByteSource & ByteSink, signal: AbortSignal) => Promise<string | undefined>;

const SPDY_PROTOCOL = "portforward.k8s.io";
/** SPDY/3.1 in the binary messages of a WebSocket, as KEP-4006 defines it. */
const TUNNEL_PROTOCOL = "SPDY/3.1+portforward.k8s.io";
const CHANNEL_PROTOCOLS = ["v4.channel.k8s.io", ""];
const PAIR_MS = 30_000;
const MAX_PORTS = 64;

/**
 * Upgrades a request to port-forward and serves it until the client leaves.
 *
 * @param ports `ports` of the query: the connections of the older WebSocket form
 * @throws StreamError 400 when no protocol is common or the ports make no sense
 */
export async function servePortForward(
  upgrade: Upgrade,
  { ports, forward }: { readonly ports: readonly string[]; readonly forward: ForwardPort },
  settings: StreamSettings,
): Promise<void> {
  const { transport, protocol } = agree(upgrade.request, { spdy: [SPDY_PROTOCOL], websocket: [TUNNEL_PROTOCOL, ...CHANNEL_PROTOCOLS] });
  if (transport === "spdy") {
    acceptSpdy(upgrade, protocol);
    return new ForwardConnection(upgrade.socket, upgrade.head, { forward, settings }).closed;
  }
  if (protocol === TUNNEL_PROTOCOL) {
    const socket = await acceptWebSocket(upgrade, protocol);
    return new ForwardConnection(bytesOf(socket), Buffer.alloc(0), { forward, settings }).closed;
  }
  const numbers = ports.flatMap((one) => one.split(",")).map(Number);
  if (numbers.length === 0 || numbers.length > MAX_PORTS || !numbers.every(isPort)) throw badRequest('query parameter "ports" is required');
  return overChannels(upgrade, protocol, { numbers, forward, settings });
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 65_536;
}

interface Parts {
  readonly forward: ForwardPort;
  readonly settings: StreamSettings;
}

/** Pairs of streams, `data` and `error`, with the same `requestID`: one pair per forwarded connection. */
class ForwardConnection {
  readonly closed: Promise<void>;
  readonly #parts: Parts;
  readonly #connection: SpdyConnection;
  readonly #waiting = new Map<string, { readonly stream: SpdyStream; readonly paired: AbortController }>();

  constructor(duplex: ConstructorParameters<typeof SpdyConnection>[0], head: Buffer, parts: Parts) {
    this.#parts = parts;
    const { clock, idleMs } = parts.settings;
    this.#connection = new SpdyConnection(duplex, "server", { clock, idleMs, head, onStream: (stream) => this.#onStream(stream) });
    const { signal } = this.#connection;
    this.closed = new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  #onStream(stream: SpdyStream): string | (() => void) {
    const type = stream.headers.get("streamtype");
    const port = Number(stream.headers.get("port"));
    if ((type !== "data" && type !== "error") || !isPort(port)) return "headers port and streamType are required";
    // Clients without request ids open the error stream first and the data stream right after it.
    const id = stream.headers.get("requestid") ?? String(type === "error" ? stream.id : stream.id - 2);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      void this.#await(id, stream);
      return () => undefined;
    }
    if (waiting.stream.headers.get("streamtype") === type) return `${type} stream already assigned`;
    this.#waiting.delete(id);
    waiting.paired.abort();
    const [data, error] = type === "data" ? [stream, waiting.stream] : [waiting.stream, stream];
    return () => void this.#serve(port, data, error);
  }

  async #await(id: string, stream: SpdyStream): Promise<void> {
    const paired = new AbortController();
    this.#waiting.set(id, { stream, paired });
    await sleep(this.#parts.settings.clock, PAIR_MS, AbortSignal.any([paired.signal, this.#connection.signal]));
    if (paired.signal.aborted) return;
    this.#waiting.delete(id);
    await stream.reset();
  }

  async #serve(port: number, data: SpdyStream, error: SpdyStream): Promise<void> {
    error.discard();
    try {
      const problem = await this.#parts.forward(port, data, this.#connection.signal);
      if (problem !== undefined) await error.write(problem);
    } catch {
      // The client left in the middle.
    }
    data.discard();
    await data.end();
    await error.end();
  }
}

/** The form of `v4.channel.k8s.io`: channels 2n (data) and 2n+1 (error) per port, each begun with the port in 16 bits, little endian. */
async function overChannels(
  upgrade: Upgrade,
  protocol: string,
  { numbers, forward, settings }: Parts & { readonly numbers: readonly number[] },
): Promise<void> {
  const socket = await acceptWebSocket(upgrade, protocol);
  const channels = new WebSocketChannels(
    socket,
    numbers.map((_, index) => index * 2),
    settings,
  );
  await Promise.all(
    numbers.map(async (port, index) => {
      const [data, error] = [channels.channel(index * 2), channels.channel(index * 2 + 1)];
      const prefix = Buffer.alloc(2);
      prefix.writeUInt16LE(port);
      try {
        await data.write(prefix);
        await error.write(prefix);
        const problem = await forward(port, data, channels.signal);
        if (problem !== undefined) await error.write(problem);
      } catch {
        // The client left in the middle.
      }
      channels.discard(index * 2);
    }),
  );
  channels.close();
}

const MAX_REQUEST_HEAD = 16 * 1024;

/**
 * What listens on a simulated container's port: an HTTP/1.1 request is answered with the pod, the port and the request line; any other bytes are sent back as they come.
 */
export async function serveEcho(port: number, connection: ByteSource & ByteSink, podName: string): Promise<void> {
  const first = await connection.read();
  if (first === undefined) return;
  if (!/^[A-Z]{3,7} \//.test(first.toString("latin1", 0, 16))) {
    await connection.write(first);
    for (let chunk = await connection.read(); chunk !== undefined; chunk = await connection.read()) await connection.write(chunk);
    return;
  }
  let head = first.toString("latin1");
  while (!head.includes("\r\n\r\n") && head.length < MAX_REQUEST_HEAD) {
    const chunk = await connection.read();
    if (chunk === undefined) return;
    head += chunk.toString("latin1");
  }
  const body = `${podName}:${port} ${head.split("\r\n")[0] ?? ""}\n`;
  const lines = [
    "HTTP/1.1 200 OK",
    "Content-Type: text/plain",
    `Content-Length: ${Buffer.byteLength(body, "latin1")}`,
    "Connection: close",
  ];
  await connection.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1"));
}
