import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { HttpExit, systemClock } from "@binnacle/rpc";

import type { UpgradeHandler } from "../raw-connections.ts";
import { createWebServer, listen, type WebServer } from "../web-server.ts";
import { ORIGIN } from "../../config/testing/stand-in-config.ts";

/** How a server differs from one at the root of its host, behind no proxy, without upgrades. */
export interface RecordingOptions {
  readonly trustedProxies?: string[];
  readonly externalUrl?: string;
  readonly frameAncestors?: string[];
  readonly upgrade?: UpgradeHandler;
}

/** The dashboard's server with nothing behind it: what would come to the calls, the sessions and the pages is written down. */
export class RecordingWebServer {
  readonly pageRequests: { url: string | undefined; headers: IncomingMessage["headers"] }[] = [];
  readonly calls: { path: string | undefined; clientAddress: string | undefined }[] = [];
  readonly sessions: { method: string; body: string; clientAddress: string | null }[] = [];
  readonly refused: string[] = [];
  readonly outcomes: string[] = [];
  readonly server: WebServer;
  ready = true;
  /** The pages. */
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async (_request, response) => void response.end("page");
  readonly #exit: HttpExit;

  private constructor({ trustedProxies = [], externalUrl = ORIGIN, frameAncestors = [], upgrade }: RecordingOptions) {
    this.server = createWebServer({
      config: {
        listen: { address: "127.0.0.1:0" },
        external_url: externalUrl,
        frame_ancestors: frameAncestors,
        trusted_proxies: trustedProxies,
      },
      bff: {
        sessionName: async (cookie) => cookie && "session",
        signInUrl: (path) => `http://app.localhost:8080/users/sign_in?return_to=${encodeURIComponent(path)}`,
        session: async (request) => {
          this.sessions.push({
            method: request.method,
            body: await request.text(),
            clientAddress: request.headers.get("x-forwarded-for"),
          });
          return new Response("answered", { headers: { "set-cookie": "a=1" } });
        },
        rpc: async (request, response) => {
          this.calls.push({ path: request.url, clientAddress: String(request.headers["x-forwarded-for"]) });
          response.end("called");
        },
      },
      handle: (request, response) => {
        this.pageRequests.push({ url: request.url, headers: request.headers });
        return this.handle(request, response);
      },
      failed: () => undefined,
      refused: (reason) => this.refused.push(reason),
      requested: (route, outcome) => this.outcomes.push(`${route} ${outcome}`),
      ...(upgrade ? { upgrade } : {}),
      build: "this-build",
      clock: systemClock,
      ready: () => this.ready,
    });
    this.#exit = new HttpExit(this.server, systemClock);
  }

  /** Starts one on a free port of this machine. */
  static async start(options: RecordingOptions = {}): Promise<RecordingWebServer> {
    const started = new RecordingWebServer(options);
    await listen(started.server, "127.0.0.1:0");
    return started;
  }

  get port(): number {
    // A TCP server that listens has an AddressInfo.
    return (this.server.address() as AddressInfo).port;
  }

  stop(): Promise<void> {
    return this.#exit.close();
  }
}
