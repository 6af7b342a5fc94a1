import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import { createStatus } from "@binnacle/kube";

import type { StandInKas } from "./stand-in-kas.ts";

const PREFIX = "/k8s-proxy";
/** Paths and headers of requests that only our kas knows. */
const OUR_PATHS = ["/binnacle/", "/-/services/"];
const OUR_HEADER = /^(?:kas-|binnacle-)/;
/** Names of gRPC services of kas; GitLab's has them on other listeners. */
const GRPC_PATH = /^\/(?:gitlab\.agent\.|kas\.v1\.)/;

/**
 * A stand-in for GitLab's own kas, as far as its k8s-proxy is documented (docs.gitlab.com, "Grant users Kubernetes access"): `pat:` tokens
 * and the cookie, the Kubernetes API of the cluster behind it, and nothing of ours: no budget, no marks, no views, logs, syncs or services. It passes
 * on what it does not know, so that the cluster answers there; gRPC gets what an HTTP server without it answers. Credentials, agents and the
 * cluster are those of `behind`, which no request of ours reaches.
 */
export class StandInGitlabKas {
  /** Requests to paths of ours: "<method> <path>". */
  readonly ourPaths: string[] = [];
  /** Headers of ours that came with requests to the cluster: "<name> <path>". */
  readonly ourHeaders: string[] = [];
  /** How the cluster answers at paths of ours: it has none, or the viewer has no right to paths that are no resources. */
  unknownPath: 404 | 403 = 404;
  /** No agent is connected: it answers so after its wait, which is left out here. */
  offline = false;
  /** Set on answers by a cluster whose headers this kas passes on. */
  readonly forged: Record<string, string> = {};
  readonly #behind: StandInKas;
  readonly #server: Server;

  constructor(behind: StandInKas) {
    this.#behind = behind;
    behind.watchLimit = undefined;
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#note(request);
      behind.handleUpgrade(request, socket, head);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    // A TCP server that listens has an AddressInfo.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${PREFIX}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    if (!path.startsWith(`${PREFIX}/`)) {
      request.resume();
      const isGrpc = request.headers["content-type"]?.startsWith("application/grpc") === true || GRPC_PATH.test(path);
      response.writeHead(isGrpc ? 415 : 404, { "content-type": "text/plain; charset=utf-8" }).end("404 page not found\n");
      return;
    }
    this.#note(request);
    const isOurs = OUR_PATHS.some((each) => path.startsWith(`${PREFIX}${each}`));
    if (isOurs) this.ourPaths.push(`${request.method} ${path.slice(PREFIX.length)}`);
    for (const [name, value] of Object.entries(this.forged)) response.setHeader(name, value);
    if (isOurs && this.#behind.hasAccess(request)) {
      request.resume();
      const message =
        this.unknownPath === 404
          ? "the server could not find the requested resource"
          : `forbidden: User "gitlab:user:x" cannot ${request.method?.toLowerCase()} path "${path.slice(PREFIX.length)}"`;
      response.writeHead(this.unknownPath, { "content-type": "application/json" });
      response.end(JSON.stringify(createStatus(this.unknownPath, message)));
      return;
    }
    if (this.offline && this.#behind.hasAccess(request)) {
      request.resume();
      const message =
        "GitLab Agent Server: HTTP->gRPC: failed to read gRPC response: Agent connection not found. Is agent up to date and connected?";
      response.writeHead(504, { "content-type": "application/json" }).end(JSON.stringify(createStatus(504, `${message} Trace ID: 1f2e`)));
      return;
    }
    this.#behind.handle(request, response);
  }

  /** What it does not know goes on to the cluster. */
  #note({ headers, url }: IncomingMessage): void {
    for (const name of Object.keys(headers)) if (OUR_HEADER.test(name)) this.ourHeaders.push(`${name} ${url?.slice(PREFIX.length)}`);
  }
}
