import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Dashboard, type ViewPosition } from "@binnacle/proto/dashboard";
import { Logs } from "@binnacle/proto/dashboard-logs";
import { HttpExit, systemClock, type Clock } from "@binnacle/rpc";
import type { OutgoingProxy } from "@binnacle/rpc/outgoing-proxy";
import { createLogger, type Logger } from "@binnacle/telemetry";
import { startTcpBalancer, type TcpBalancer } from "@binnacle/testing";
import { createClient, type Client, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

import { createBff, type Bff } from "../bff.ts";
import type { WebConfig } from "../config/config.ts";
import { digestOf } from "../config/follow-files.ts";
import { createWebServer, listen } from "../http/web-server.ts";
import { parseSessionKeys } from "../config/session-keys.ts";
import { DashboardTab } from "./dashboard-tab.ts";
import { ORIGIN, standInConfig } from "../config/testing/stand-in-config.ts";
import { StandInKas } from "../kas/testing/stand-in-kas.ts";
import { StandInMainApplication } from "../gitlab/testing/stand-in-main-application.ts";

/** One of several web processes: all that two of them have in common is their configuration. */
export interface WebProcess {
  readonly bff: Bff;
  /** host:port */
  readonly address: string;
  /** Cookies that were no session. */
  readonly unusable: () => number;
  /** Requests that have ended: "session 2xx". */
  readonly outcomes: readonly string[];
  /** As SIGKILL does: every connection breaks, and no peer is notified. */
  kill(): Promise<void>;
}

/** A fresh line of a session key file. */
export function keyLine(): string {
  return `${randomBytes(32).toString("base64")}\n`;
}

/** Web processes with one key file behind a TCP balancer, and stand-ins behind them with one user, "ann", who has "glpat-ann". */
export class WebProcesses {
  readonly main = new StandInMainApplication();
  readonly kas = new StandInKas(this.main);
  readonly #running = new Set<WebProcess>();
  readonly #folder = mkdtempSync(join(tmpdir(), "web-processes-"));
  readonly #leave = new AbortController();
  /** Where the balancer sends new connections, in turns. */
  backends: readonly string[] = [];
  #balancer: TcpBalancer | undefined;

  static async open(): Promise<WebProcesses> {
    const world = new WebProcesses();
    world.main.tokens.set("glpat-ann", "ann");
    world.kas.allowed.add("ann");
    world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" } });
    world.writeKeys(keyLine());
    world.#balancer = await startTcpBalancer(() => world.backends);
    return world;
  }

  get balancer(): string {
    return `127.0.0.1:${this.#balancer?.port}`;
  }

  /** Where it is dialled. */
  get mainApplication(): Promise<string> {
    return this.#mainUrl;
  }

  writeKeys(text: string): void {
    writeFileSync(this.#keyFile, text, { mode: 0o600 });
  }

  /** Starts one more. @param keys what it reads from the key file at its start */
  async start(
    keys: string,
    {
      clock = systemClock,
      log = createLogger("web", "silent"),
      peers = [] as readonly string[],
      proxy = undefined as OutgoingProxy | undefined,
      features = undefined as WebConfig["features"] | undefined,
      signIn = undefined as WebConfig["sign_in"] | undefined,
    }: {
      clock?: Clock;
      log?: Logger;
      peers?: readonly string[];
      proxy?: OutgoingProxy | undefined;
      features?: WebConfig["features"] | undefined;
      signIn?: WebConfig["sign_in"] | undefined;
    } = {},
  ): Promise<WebProcess> {
    const secretFile = { file: this.#keyFile, content: parseSessionKeys(keys), digest: digestOf(keys) };
    const urls = { mainApplication: await this.#mainUrl, kas: await this.#kasUrl };
    const base = standInConfig(urls);
    const config: WebConfig = {
      ...base,
      main_application: { ...base.main_application, proxy },
      session: { secret_file: secretFile, peers: [...peers] },
      ...(features && { features }),
      ...(signIn && { sign_in: signIn }),
    };
    let unusable = 0;
    const outcomes: string[] = [];
    const bff = createBff({ config, clock, log, metrics: { refused: () => undefined, unusableSession: () => void (unusable += 1) } });
    const handle = async (_request: unknown, response: { end(text: string): void }): Promise<void> => response.end("page");
    const server = createWebServer({
      config,
      bff,
      handle,
      failed: () => undefined,
      refused: () => undefined,
      requested: (route, outcome) => outcomes.push(`${route} ${outcome}`),
      upgrade: bff.upgrade,
      clock,
      ready: () => true,
      build: "this-build",
    });
    const exit = new HttpExit(server, systemClock);
    const started: WebProcess = {
      bff,
      unusable: () => unusable,
      outcomes,
      address: await listen(server, "127.0.0.1:0"),
      kill: async () => {
        if (!this.#running.delete(started)) return;
        await exit.close();
        await bff.close();
      },
    };
    this.#running.add(started);
    return started;
  }

  /** Signs ann in. @returns the cookie */
  async signIn(address: string, token = "glpat-ann"): Promise<string> {
    const answer = await fetch(`http://${address}/api/session/token`, {
      method: "POST",
      headers: { origin: ORIGIN },
      body: JSON.stringify({ token }),
    });
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
  }

  async signOut(address: string, cookie: string): Promise<void> {
    await fetch(`http://${address}/api/session`, { method: "DELETE", headers: { origin: ORIGIN, cookie } });
  }

  /** How `GET /api/session` says that a browser with this cookie is signed in. */
  async wayAt(address: string, cookie: string): Promise<unknown> {
    const answer = await fetch(`http://${address}/api/session`, { headers: { cookie } });
    // It is ours.
    return ((await answer.json()) as { readonly way: unknown }).way;
  }

  client(address: string, cookie: string): Client<typeof Dashboard> {
    return createClient(Dashboard, this.#transport(address, cookie));
  }

  logs(address: string, cookie: string): Client<typeof Logs> {
    return createClient(Logs, this.#transport(address, cookie));
  }

  #transport(address: string, cookie: string): Transport {
    return createConnectTransport({
      baseUrl: `http://${address}/api/rpc`,
      useBinaryFormat: true,
      fetch: (input, init) => {
        const request = new Request(input, init);
        request.headers.set("cookie", cookie);
        request.headers.set("origin", ORIGIN);
        return fetch(request, init?.signal ? { signal: init.signal } : {});
      },
    });
  }

  /** Opens the environment there, until the test is over. */
  tab(address: string, cookie: string, after?: ViewPosition): DashboardTab {
    return new DashboardTab(this.client(address, cookie), this.#leave.signal, { after });
  }

  async close(): Promise<void> {
    this.#leave.abort();
    for (const each of this.#running) await each.kill();
    await this.#balancer?.close();
    await this.kas.close();
    await this.main.close();
    rmSync(this.#folder, { recursive: true });
  }

  readonly #mainUrl = this.main.listen();
  readonly #kasUrl = this.kas.listen();

  get #keyFile(): string {
    return join(this.#folder, "session-keys");
  }
}
