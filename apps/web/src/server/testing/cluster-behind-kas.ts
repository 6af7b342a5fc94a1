import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";

import { startControlPlane } from "@binnacle/control-plane";
import { startKubeSandbox } from "@binnacle/kube-sandbox";

/** A cluster that the stand-in of kas passes requests to, as its administrator. */
export class ClusterBehindKas {
  /** Decides what becomes of a request: `handled` when it answers itself, `drop-answer` to break the connection behind the cluster's answer. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => "handled" | "drop-answer" | undefined) | undefined;
  readonly stop: () => Promise<void>;
  readonly #server: string;
  readonly #tls: { readonly ca: string; readonly cert?: string; readonly key?: string };
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(of: {
    readonly server: string;
    readonly tls: { readonly ca: string; readonly cert?: string; readonly key?: string };
    readonly headers: Readonly<Record<string, string>>;
    readonly stop: () => Promise<void>;
  }) {
    this.#server = of.server;
    this.#tls = of.tls;
    this.#headers = of.headers;
    this.stop = of.stop;
  }

  /** The embedded API server. */
  static async embedded(dir: string): Promise<ClusterBehindKas> {
    const sandbox = await startKubeSandbox({ dir });
    const headers = { authorization: `Bearer ${sandbox.adminToken}` };
    return new ClusterBehindKas({ server: sandbox.server, tls: { ca: read(sandbox.caFile) }, headers, stop: () => sandbox.stop() });
  }

  /** A real API server, without controllers. */
  static async real(dir: string): Promise<ClusterBehindKas> {
    const plane = await startControlPlane({ dir, apiServerOnly: true });
    const tls = { ca: read(plane.caFile), cert: read(plane.certFile), key: read(plane.keyFile) };
    return new ClusterBehindKas({ server: plane.server, tls, headers: {}, stop: () => plane.stop() });
  }

  /** Passes a request on, body and answer as they come. */
  readonly forward: RequestListener = (request, response) => {
    const fate = this.intercept?.(request, response);
    if (fate === "handled") return;
    const { accept, "content-type": type, "content-length": length } = request.headers;
    const given = { accept, "content-type": type, "content-length": length };
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const upstream = this.#open(request.method ?? "GET", request.url ?? "/", headers);
    upstream.on("response", (answer) => {
      if (fate === "drop-answer") {
        answer.resume().on("end", () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, { "content-type": answer.headers["content-type"] ?? "application/json" });
      answer.pipe(response);
    });
    upstream.on("error", () => response.destroy());
    response.once("close", () => upstream.destroy());
    request.pipe(upstream);
  };

  /** A request past kas. @throws Error with the answer when that is no success */
  async send(
    method: string,
    path: string,
    { body, type = "application/json" }: { readonly body?: object; readonly type?: string } = {},
  ): Promise<Record<string, unknown>> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const request = this.#open(method, path, { "content-type": type, "content-length": String(Buffer.byteLength(text)) });
    return new Promise((resolve, reject) => {
      request.on("error", reject);
      request.on("response", (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const received = Buffer.concat(chunks).toString();
          if ((answer.statusCode ?? 500) >= 300) reject(new Error(`${method} ${path}: ${received}`));
          // An API server answers with JSON.
          else resolve(JSON.parse(received) as Record<string, unknown>);
        });
      });
      request.end(text);
    });
  }

  /** A merge patch past kas. */
  merge(path: string, body: object): Promise<Record<string, unknown>> {
    return this.send("PATCH", path, { body, type: "application/merge-patch+json" });
  }

  #open(method: string, path: string, headers: Readonly<Record<string, string | string[] | undefined>>) {
    return httpsRequest(new URL(path, this.#server), { method, ...this.#tls, headers: { ...headers, ...this.#headers } });
  }
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}
