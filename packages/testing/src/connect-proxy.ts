import { createServer, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How an HTTP proxy behaves. */
export interface ConnectProxyOptions {
  /** What it answers to every CONNECT instead of a tunnel; "silent" is nothing at all. */
  readonly answers?: number | "silent";
  /** "user:password" that it wants. */
  readonly credentials?: string;
  /** PEM texts: with them it speaks TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Where a name leads; default: the machine itself, whatever the name. */
  readonly resolve?: (host: string) => string;
}

/** A running HTTP proxy that makes tunnels and nothing else. */
export interface ConnectProxy {
  readonly port: number;
  /** "host:port" of every CONNECT so far. */
  readonly targets: readonly string[];
  /** Tunnels that were opened so far. */
  readonly opened: number;
  close(): Promise<void>;
}

/** Starts one on a free loopback port. */
export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const { credentials, tls } = options;
  const targets: string[] = [];
  const sockets = new Set<Duplex>();
  let opened = 0;
  const keep = (socket: Duplex): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
  };
  const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
  const onConnect = (request: IncomingMessage, client: Duplex, head: Buffer): void => {
    keep(client);
    targets.push(request.url ?? "");
    if (options.answers === "silent") return;
    const status = wanted !== undefined && request.headers["proxy-authorization"] !== wanted ? 407 : options.answers;
    if (status !== undefined) return void client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url ?? ""}`);
    const target = connect(Number(port || "80"), options.resolve?.(hostname) ?? "127.0.0.1");
    keep(target);
    target.once("connect", () => {
      opened += 1;
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.length > 0) target.write(head);
      client.pipe(target).pipe(client);
    });
    target.once("close", () => client.destroy());
    client.once("close", () => target.destroy());
  };
  const server = tls === undefined ? createServer() : createSecureServer({ cert: tls.certificate, key: tls.key });
  server.on("connect", onConnect);
  server.on("connection", (socket: Socket) => keep(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A TCP server has an address object once it listens.
    port: (server.address() as AddressInfo).port,
    targets: targets,
    get opened() {
      return opened;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
