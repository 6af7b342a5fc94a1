import { connect as connectTcp, type Socket } from "node:net";

import { TUNNEL_SUBPROTOCOL, WebSocketDuplex } from "@binnacle/grpc-wire";
import { WebSocket } from "ws";
import type { Duplex } from "node:stream";

/** First bytes of an HTTP/2 client, with empty settings. */
const HELLO = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frameOf({ type: 4, flags: 0, streamId: 0, payload: Buffer.alloc(0) }),
]);
const HEADERS = 1;
const END_OF_BOTH = 0x5;

/** A frame that is not decoded. */
interface RawFrame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Uint8Array;
}

/** A frame in bytes. */
function frameOf({ type, flags, streamId, payload }: RawFrame): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.byteLength, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, payload]);
}

/** Fields as literals, whatever is in them; texts are shorter than 16 KiB. */
function literalsOf(fields: readonly (readonly [string, string])[]): Buffer {
  const text = (value: string): Buffer => {
    const bytes = Buffer.from(value, "latin1");
    if (bytes.byteLength < 127) return Buffer.concat([Buffer.of(bytes.byteLength), bytes]);
    const rest = bytes.byteLength - 127;
    return Buffer.concat([Buffer.of(127, (rest & 0x7f) | 0x80, rest >> 7), bytes]);
  };
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
}

/** A client that sends arbitrary bytes, and reads only whether its connection is still open. */
export class RawHttp2 {
  readonly #connection: Duplex;
  #nextStreamId = 1;
  #closed = false;
  /** Bytes the server has sent. */
  heardBytes = 0;

  private constructor(connection: Duplex) {
    this.#connection = connection;
    connection.on("data", (chunk: Buffer) => (this.heardBytes += chunk.byteLength));
    connection.on("error", () => undefined);
    connection.on("close", () => (this.#closed = true));
    connection.write(HELLO);
  }

  static overTcp(address: string): RawHttp2 {
    return new RawHttp2(dialTcp(address));
  }

  static overWebSocket(address: string): Promise<RawHttp2> {
    const socket = new WebSocket(`ws://${address}/`, TUNNEL_SUBPROTOCOL);
    return new Promise((resolve, reject) => {
      // At once: the server's first words may come with the answer to the upgrade.
      socket.once("open", () => resolve(new RawHttp2(new WebSocketDuplex(socket)))).once("error", reject);
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** A request without a body. */
  request(fields: readonly (readonly [string, string])[]): void {
    this.#connection.write(frameOf({ type: HEADERS, flags: END_OF_BOTH, streamId: this.#nextStreamId, payload: literalsOf(fields) }));
    this.#nextStreamId += 2;
  }

  /** Settles when the server has dealt with everything so far, or has closed the connection. */
  async settled(): Promise<void> {
    const before = this.heardBytes;
    this.#connection.write(frameOf({ type: 6, flags: 0, streamId: 0, payload: Buffer.alloc(8) }));
    while (!this.#closed && this.heardBytes < before + 17) await new Promise((resolve) => setImmediate(resolve));
  }

  end(): void {
    this.#connection.destroy();
  }
}

/** @param address "host:port" */
export function dialTcp(address: string): Socket {
  const [host, port] = address.split(":");
  return connectTcp({ host: host ?? "", port: Number(port) });
}
