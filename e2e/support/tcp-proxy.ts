import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** How bytes fare. `stalled`: none pass, without an error. `cut`: every connection breaks, and new ones are refused. */
type Weather =
  { readonly kind: "fair" } | { readonly kind: "slow"; readonly bytesPerSecond: number } | { readonly kind: "stalled" | "cut" };

/** A network between a browser and a server that a test can slow down, stall and cut, both ways. */
export class TcpProxy {
  /** Targets of the requests that came over HTTP/1.1, also of workers, which a browser does not tell of. */
  readonly requestTargets: string[] = [];
  readonly #server: Server;
  readonly #pairs = new Set<{ readonly client: Socket; readonly upstream: Socket }>();
  readonly #held = new Set<() => void>();
  readonly #target: () => number;
  #weather: Weather = { kind: "fair" };

  private constructor(target: () => number) {
    this.#target = target;
    this.#server = createServer({ pauseOnConnect: true }, (client) => this.#meet(client));
  }

  /** Listens on a free loopback port. @param target port of the server, evaluated for every connection */
  static async start(target: () => number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    // A TCP server has an address object once it listens.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Everything passes again, also what was held back. */
  restore(): void {
    this.#weather = { kind: "fair" };
    for (const release of this.#held) release();
  }

  slow(bytesPerSecond: number): void {
    this.#weather = { kind: "slow", bytesPerSecond };
  }

  stall(): void {
    this.#weather = { kind: "stalled" };
  }

  cut(): void {
    this.#weather = { kind: "cut" };
    for (const { client, upstream } of this.#pairs) {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
  }

  /** The server is notified that the current connections are gone, the browser is not: as when a laptop sleeps for longer than servers wait. */
  forget(): void {
    for (const pair of this.#pairs) {
      pair.upstream.removeAllListeners("close");
      pair.upstream.resetAndDestroy();
    }
  }

  async stop(): Promise<void> {
    this.cut();
    for (const release of this.#held) release();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #meet(client: Socket): void {
    if (this.#weather.kind === "cut") return void client.resetAndDestroy();
    const upstream = connect(this.#target(), "127.0.0.1");
    const pair = { client, upstream };
    this.#pairs.add(pair);
    client.on("close", () => {
      this.#pairs.delete(pair);
      upstream.destroy();
    });
    upstream.on("close", () => client.destroySoon());
    for (const socket of [client, upstream]) socket.setNoDelay(true).on("error", () => socket.destroy());
    client.on("data", (chunk: Buffer) => {
      for (const [, target = ""] of chunk.toString("latin1").matchAll(/^[A-Z]+ (\S+) HTTP\/1\.1\r$/gm)) this.requestTargets.push(target);
    });
    this.#carry(client, upstream);
    this.#carry(upstream, client);
    client.resume();
  }

  #carry(from: Socket, to: Socket): void {
    from.on("data", (chunk: Buffer) => {
      from.pause();
      const pass = (): void => {
        this.#held.delete(pass);
        if (this.#weather.kind === "stalled") return void this.#held.add(pass);
        // No process knows of the connection any more.
        if (to.destroyed) return void from.resetAndDestroy();
        to.write(chunk);
        from.resume();
      };
      if (this.#weather.kind === "slow") setTimeout(pass, (chunk.length / this.#weather.bytesPerSecond) * 1_000);
      else pass();
    });
    from.on("end", () => to.end());
  }
}
