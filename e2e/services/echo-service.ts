import { createServer, request, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";

const SWITCHED = [
  "HTTP/1.1 101 Switching Protocols",
  "connection: Upgrade",
  "upgrade: websocket",
  "sec-websocket-accept: accepted",
  "set-cookie: a=b",
] as const;

/** A service that sends back every byte of an upgraded connection; below `/closed`, and for a client with a credential, it rejects upgrades. */
export async function startEchoService(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Duplex>();
  const server = createServer();
  server.on("upgrade", ({ url, headers }, socket: Duplex) => {
    sockets.add(socket);
    if (url === "/closed" || headers.authorization !== undefined) {
      socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    } else {
      socket.write(`${SWITCHED.join("\r\n")}\r\n\r\n`);
      socket.pipe(socket);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** What became of a handshake: the socket after a 101, else the body. */
interface Upgraded {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Duplex;
  readonly body: string;
}

/** Asks kas for a WebSocket, as user 1 of agent 7. @param address host:port */
export function upgrade(address: string, path: string, more: Readonly<Record<string, string>> = {}): Promise<Upgraded> {
  const headers = {
    authorization: "Bearer pat:7:user-1",
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    ...more,
  };
  const [host, port] = address.split(":");
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, headers });
    sent.on("error", reject);
    sent.on("upgrade", (answer, socket) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, socket, body: "" }));
    sent.on("response", (answer) => {
      const { statusCode: status = 0, headers: answered, socket } = answer;
      text(answer).then((body) => resolve({ status, headers: answered, socket, body }), reject);
    });
    sent.end();
  });
}
