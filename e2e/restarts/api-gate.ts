import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent, request } from "node:https";
import type { AddressInfo } from "node:net";

/** Where the API server is. */
export interface ApiServer {
  readonly url: string;
  /** PEM. */
  readonly ca: Buffer;
}

/** What applies an object, or asks the API server what an apply would change. */
const IS_APPLY = /[?&]fieldManager=agentk(&|$)/;

/** Between agentk and the API server: holds applies back, so that a sync goes on for as long as a test wants. Everything else passes. */
export class ApiGate {
  readonly #target: ApiServer;
  readonly #server: Server;
  readonly #connections = new Agent({ keepAlive: true });
  readonly #held: (() => void)[] = [];
  #isHolding = false;

  private constructor(target: ApiServer) {
    this.#target = target;
    this.#server = createServer((incoming, outgoing) => this.#take(incoming, outgoing));
  }

  /** Listens on a free loopback port. */
  static async open(target: ApiServer): Promise<ApiGate> {
    const gate = new ApiGate(target);
    await new Promise<void>((resolve) => gate.#server.listen(0, "127.0.0.1", resolve));
    return gate;
  }

  get url(): string {
    // A TCP server has an address object once it listens.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Applies that wait. */
  get held(): number {
    return this.#held.length;
  }

  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const pass of this.#held.splice(0)) pass();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#connections.destroy();
  }

  #take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const pass = (): void => {
      const { host } = new URL(this.#target.url);
      const { method = "GET", url = "", rawHeaders } = incoming;
      // As they came: a user has many groups, each in a header of its own.
      const headers = rawHeaders.map((each, at) => (rawHeaders[at - 1]?.toLowerCase() === "host" && at % 2 === 1 ? host : each));
      const onward = request(new URL(url, this.#target.url), {
        method,
        headers,
        ca: this.#target.ca,
        agent: this.#connections,
      });
      onward.on("response", (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        // A watch has an answer before anything has happened.
        outgoing.flushHeaders();
        answer.pipe(outgoing);
        answer.on("error", () => outgoing.destroy());
      });
      onward.on("error", () => outgoing.destroy());
      outgoing.on("close", () => onward.destroy());
      incoming.pipe(onward);
    };
    if (this.#isHolding && incoming.method === "PATCH" && IS_APPLY.test(incoming.url ?? "")) this.#held.push(pass);
    else pass();
  }
}
