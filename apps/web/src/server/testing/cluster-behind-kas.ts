import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";

import { startControlPlane } from "@binnacle/control-plane";
import { startKubeSandbox } from "@binnacle/kube-sandbox";

/** A cluster that the stand-in of kas passes requests to, as its administrator. */
export class ClusterBehindKas {
  /** Decides what becomes of a request: `handled` when it answers itself, `drop-answer` to break the connection behind the cluster's answer. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => "handled" | "drop-answer" | undefined) | undefined;
  /** The user of the cluster that passed requests are made as; absent: the administrator. */
  as: string | undefined;
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
    const given = { accept, "content-type": type, "content-length": length, "impersonate-user": this.as };
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

  /** Upgraded connections that are there. */
  readonly upgraded = new Set<Duplex>();

  /** Passes an upgraded connection on, in both directions; an answer that is no 101 ends it. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const passed = Object.entries(request.headers).filter(([name]) => /^(connection|upgrade|sec-websocket-.*)$/.test(name));
    const upstream = this.#open("GET", request.url ?? "/", Object.fromEntries(passed));
    const end = (): void => {
      socket.destroy();
      upstream.destroy();
    };
    upstream.on("upgrade", (answer, behind, first) => {
      this.upgraded.add(socket);
      socket.once("close", () => this.upgraded.delete(socket));
      for (const each of [socket, behind]) each.on("error", end).on("close", end);
      behind.on("close", () => socket.destroy());
      socket.on("close", () => behind.destroy());
      const lines = answer.rawHeaders.flatMap((name, index, all) => (index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : []));
      socket.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"));
      socket.write(first);
      behind.write(head);
      behind.pipe(socket);
      socket.pipe(behind);
    });
    upstream.on("response", (answer) => {
      const type = answer.headers["content-type"] ?? "text/plain";
      socket.write(`HTTP/1.1 ${answer.statusCode} Refused\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\n`);
      answer.pipe(socket);
    });
    upstream.on("error", end);
    upstream.end();
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

/** Answers reviews of rules with these, as complete. */
export function answerRules(resourceRules: readonly object[]): NonNullable<ClusterBehindKas["intercept"]> {
  return (request, response) => {
    if (!request.url?.endsWith("/selfsubjectrulesreviews")) return undefined;
    const status = { resourceRules, nonResourceRules: [], incomplete: false };
    const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: {}, status };
    request.resume().on("end", () => response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(review)));
    return "handled";
  };
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}
