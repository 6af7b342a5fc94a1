import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A TCP balancer as clouds have them: knows nothing of HTTP or TLS, and tries the next backend when one refuses a connection. */
export interface TcpBalancer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts one on a free loopback port. @param backends "host:port" each, read anew for every connection */
export async function startTcpBalancer(backends: () => readonly string[]): Promise<TcpBalancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    keep(open, client);
    const all = backends();
    turn += 1;
    const order = all.map((_, index) => all[(turn + index) % all.length] ?? "");
    void (async () => {
      for (const backend of order) {
        const upstream = await dial(backend);
        if (upstream === undefined) continue;
        keep(open, upstream);
        return join(client, upstream);
      }
      client.destroy();
    })(); // a backend that refuses is no error
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A TCP server has an address object once it listens.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function keep(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.setNoDelay(true);
  socket.on("close", () => open.delete(socket));
}

function dial(backend: string): Promise<Socket | undefined> {
  const [host = "", port = ""] = backend.split(":");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true });
    socket.once("error", () => resolve(undefined));
    socket.once("connect", () => resolve(socket));
  });
}

/** What one side ends or breaks, the other side sees ended or broken. */
function join(client: Socket, upstream: Socket): void {
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroySoon());
    from.pipe(to);
  }
  client.resume();
}
