import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";

import type { ContainerTarget, PodStreams } from "./pod-streams.ts";
import { StreamError } from "./status.ts";
import { handleUpgrades } from "./streams/upgraded-sockets.ts";
import { isStreamUpgrade, type Upgrade } from "./streams/upgrade.ts";

/** Keys of the server and who may call it. PEM texts. */
export interface KubeletIdentity {
  readonly certificate: string;
  readonly key: string;
  /** The authority that must have signed the client's certificate. */
  readonly clientCa: string;
  /** Common name that the client's certificate must have: that of the API server's kubelet client. */
  readonly clientName: string;
}

/** The kubelet's HTTPS API for simulated containers, on loopback: what an API server calls for exec, attach, port-forward and logs. */
export class KubeletServer {
  readonly #server: Server;
  readonly #endUpgraded: () => void;
  #streams: PodStreams | undefined;
  #clientName: string | undefined;

  private constructor() {
    const shouldUpgradeCallback = (request: IncomingMessage): boolean => isStreamUpgrade(request);
    this.#server = createServer(
      { requestCert: true, rejectUnauthorized: true, maxHeaderSize: 512 * 1024, shouldUpgradeCallback },
      (request, response) => void this.#answer(request, response),
    );
    this.#endUpgraded = handleUpgrades(this.#server, (upgrade) => this.#upgrade(upgrade));
  }

  /** Takes a port of 127.0.0.1; every connection is refused until `serve`. A cluster names the port before it has the keys. */
  static async listen(port = 0): Promise<KubeletServer> {
    const kubelet = new KubeletServer();
    await new Promise<void>((resolve, reject) => {
      kubelet.#server.once("error", reject);
      kubelet.#server.listen(port, "127.0.0.1", resolve);
    });
    return kubelet;
  }

  get port(): number {
    // A TCP server that listens has an address.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Begins to answer. */
  serve(identity: KubeletIdentity, streams: PodStreams): void {
    this.#server.setSecureContext({ cert: identity.certificate, key: identity.key, ca: identity.clientCa });
    this.#clientName = identity.clientName;
    this.#streams = streams;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#endUpgraded();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      const streams = this.#authorize(request);
      const { operation, target, query } = parse(request);
      if (operation === "healthz") {
        response.writeHead(200, { "content-type": "text/plain" }).end("ok");
        return;
      }
      if (operation !== "containerLogs") throw new StreamError(400, "BadRequest", "Upgrade request required");
      if (request.method !== "GET") throw new StreamError(405, "MethodNotAllowed", "method not allowed");
      await streams.log(response, target, { query, signal: gone.signal });
    } catch (error) {
      const { code, message } = problemOf(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(code, { "content-type": "text/plain" }).end(message);
    }
  }

  async #upgrade(upgrade: Upgrade): Promise<void> {
    try {
      const streams = this.#authorize(upgrade.request);
      const { operation, target, query } = parse(upgrade.request);
      const options = {
        stdin: query.get("input") === "1",
        stdout: query.get("output") === "1",
        stderr: query.get("error") === "1",
        tty: query.get("tty") === "1",
      };
      if (operation === "exec") await streams.exec(upgrade, target, { ...options, command: query.getAll("command") });
      else if (operation === "attach") await streams.attach(upgrade, target, options);
      else if (operation === "portForward") await streams.portForward(upgrade, target, [...query.getAll("port"), ...query.getAll("ports")]);
      else throw new StreamError(400, "BadRequest", "nothing here can be upgraded");
    } catch (error) {
      const { code, message } = problemOf(error);
      rejectUpgrade(upgrade, { code, body: message, contentType: "text/plain" });
    }
  }

  #authorize(request: IncomingMessage): PodStreams {
    // The server has TLS sockets only; the handshake has checked the authority.
    const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject ?? {};
    if (this.#streams === undefined || CN !== this.#clientName) throw new StreamError(403, "Forbidden", "Forbidden");
    return this.#streams;
  }
}

/** Answers an upgrade request with an ordinary response and closes its connection. */
function rejectUpgrade(
  { socket }: Upgrade,
  { code, body, contentType }: { readonly code: number; readonly body: string; readonly contentType: string },
): void {
  if (socket.destroyed || socket.writableEnded) return;
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? "Error"}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function problemOf(error: unknown): { readonly code: number; readonly message: string } {
  return error instanceof StreamError ? error : { code: 500, message: "internal error" };
}

const OPERATIONS = ["exec", "attach", "portForward", "containerLogs", "healthz"] as const;

/** `/exec/{namespace}/{pod}/{container}`; a uid may stand before the container. @throws StreamError 404 */
function parse(request: IncomingMessage): {
  readonly operation: (typeof OPERATIONS)[number];
  readonly target: ContainerTarget;
  readonly query: URLSearchParams;
} {
  const url = new URL(request.url ?? "/", "https://localhost");
  const [first, namespace = "", pod = "", ...rest] = url.pathname.split("/").slice(1).map(decode);
  const operation = OPERATIONS.find((name) => name === first);
  if (operation === undefined || rest.length > 2) throw new StreamError(404, "NotFound", "404 page not found");
  return {
    operation,
    target: { namespace, pod, container: operation === "portForward" ? undefined : rest.at(-1) },
    query: url.searchParams,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new StreamError(400, "BadRequest", "broken escape in the path");
  }
}
