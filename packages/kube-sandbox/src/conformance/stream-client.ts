import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

import { WebSocket } from "ws";

import type { ApiUnderTest } from "./client.ts";

/** What carries the streams of kubectl. */
export type Carrier = "WebSocket" | "SPDY";

/** A run of kubectl with bytes in and out. */
export interface StreamResult {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Starts kubectl so that it uses one kind of connection for exec, attach, cp and port-forward. */
export function startKubectl(kubeconfig: string, carrier: Carrier, args: readonly string[]): ChildProcess {
  const sockets = String(carrier === "WebSocket");
  const program = join(process.env["KUBEBUILDER_ASSETS"] ?? "", "kubectl");
  return spawn(program, ["--kubeconfig", kubeconfig, "--cache-dir", `${kubeconfig}.cache`, ...args], {
    env: { ...process.env, KUBECTL_REMOTE_COMMAND_WEBSOCKETS: sockets, KUBECTL_PORT_FORWARD_WEBSOCKETS: sockets },
    timeout: 60_000,
  });
}

/** Runs kubectl to its end. */
export function streamKubectl(
  kubeconfig: string,
  carrier: Carrier,
  { args, input = "" }: { readonly args: readonly string[]; readonly input?: string | Buffer },
): Promise<StreamResult> {
  return new Promise((resolve, reject) => {
    const child = startKubectl(kubeconfig, carrier, args);
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
    // A program that does not read its input is no failure of the test.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }));
  });
}

/** A WebSocket with numbered channels, as a client of the API server opens it. */
export class ChannelClient {
  readonly #socket: WebSocket;
  readonly #texts = new Map<number, string>();
  readonly #listeners = new Set<() => void>();
  readonly closed: Promise<number>;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => {
      const channel = data[0] ?? 0;
      this.#texts.set(channel, this.text(channel) + data.toString("utf8", 1));
      for (const listener of this.#listeners) listener();
    });
    this.closed = new Promise((resolve) => socket.once("close", resolve));
  }

  /** @throws Error with the code of a response that is no 101 */
  static open(under: ApiUnderTest, path: string, protocols: readonly string[]): Promise<ChannelClient> {
    return ChannelClient.openWith(under, { path, protocols, headers: {} });
  }

  /** As `open`, with more headers. */
  static openWith(
    under: ApiUnderTest,
    request: { readonly path: string; readonly protocols: readonly string[]; readonly headers: Readonly<Record<string, string>> },
  ): Promise<ChannelClient> {
    const socket = new WebSocket(`${under.server.replace("https:", "wss:")}${request.path}`, [...request.protocols], {
      ca: under.ca,
      headers: { authorization: `Bearer ${under.token}`, ...request.headers },
    });
    const client = new ChannelClient(socket);
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(client));
      socket.once("error", reject);
    });
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  /** What arrived on a channel so far. */
  text(channel: number): string {
    return this.#texts.get(channel) ?? "";
  }

  send(channel: number, content: string | Buffer): void {
    this.#socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(content)]));
  }

  /** Resolves when a channel's text fits. */
  async until(channel: number, fits: (text: string) => boolean): Promise<string> {
    while (!fits(this.text(channel))) {
      if (this.#socket.readyState === this.#socket.CLOSED) throw new Error(`closed after ${JSON.stringify(this.text(channel))}`);
      await new Promise<void>((resolve) => {
        const next = (): void => {
          this.#listeners.delete(next);
          this.#socket.off("close", next);
          resolve();
        };
        this.#listeners.add(next);
        this.#socket.once("close", next);
      });
    }
    return this.text(channel);
  }

  close(): void {
    this.#socket.close();
  }
}
