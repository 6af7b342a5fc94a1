import { rmSync } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import {
  createKasSecrets,
  eventually,
  startAgentkProcess,
  startKasProcess,
  startMainApplicationStandIn,
  type AgentkProcess,
  type KasProcess,
  type MainApplicationStandIn,
} from "@binnacle/testing";

const LIMIT_MS = 60_000;
/** Of the agent's user at kas. */
const CREDENTIAL = { authorization: "Bearer pat:7:user-1" };

/** A kas behind proxies, an API server for its agent and a main application. */
export class EdgeScene {
  kas!: KasProcess;
  application!: MainApplicationStandIn;
  /** "host:port" of the API server. */
  api = "";
  /** Watches that are open at the API server. */
  readonly watches = new Set<ServerResponse>();
  /** Upgraded connections that are open there. */
  readonly programs = new Set<Duplex>();
  readonly #closers: (() => Promise<unknown> | void)[] = [];

  /** @param env of kas */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<EdgeScene> {
    const scene = new EdgeScene();
    try {
      await scene.#start(env);
    } catch (error) {
      await scene.stop();
      throw error;
    }
    return scene;
  }

  /** Keeps something to be closed with the scene. */
  closing<T>(thing: T, close: (thing: T) => Promise<unknown> | void): T {
    this.#closers.push(() => close(thing));
    return thing;
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }

  /**
   * Starts an agent and waits until requests reach its cluster.
   *
   * @param env of agentk
   * @param server where it finds the API server
   */
  async startAgent(kasAddress: string, env: Readonly<Record<string, string>> = {}, server = `http://${this.api}`): Promise<AgentkProcess> {
    const options = { kasAddress, token: "glagent-7", server, env };
    const agentk = this.closing(await startAgentkProcess(options), (one) => one.stop());
    await eventually(async () => {
      const answer = await this.ask(`http://${this.kas.addresses.k8sProxy}/version`);
      return answer.status === 200 ? undefined : `${answer.status}\n${this.kas.program.output}\n${agentk.program.output}`;
    }, LIMIT_MS);
    return agentk;
  }

  /** Asks as the agent's user. */
  ask(url: string, signal?: AbortSignal): Promise<Response> {
    return fetch(url, { headers: CREDENTIAL, ...(signal === undefined ? {} : { signal }) });
  }

  /** Opens a connection that kas upgrades to SPDY, as the agent's user. @throws when something else is answered */
  upgrade(path: string): Promise<Duplex> {
    const headers = { ...CREDENTIAL, connection: "Upgrade", upgrade: "SPDY/3.1" };
    return new Promise((resolve, reject) => {
      const upgrade = request(`http://${this.kas.addresses.k8sProxy}${path}`, { method: "POST", headers });
      upgrade.once("error", reject);
      upgrade.once("response", ({ statusCode }) => reject(new Error(`no upgrade but ${statusCode}`)));
      upgrade.once("upgrade", (_response, socket, head) => {
        socket.unshift(head);
        resolve(this.closing(socket, (one) => void one.destroy()));
      });
      upgrade.end();
    });
  }

  async #start(env: Readonly<Record<string, string>>): Promise<void> {
    const api = createServer((incoming, response) => {
      response.setHeader("content-type", "application/json");
      if (incoming.url?.includes("watch=true") !== true) {
        response.end(JSON.stringify({ gitVersion: "v1.36.3", path: incoming.url }));
        return;
      }
      this.watches.add(response);
      response.once("close", () => this.watches.delete(response));
      // One small event, and then nothing: a watch without news.
      response.write(`${JSON.stringify({ type: "ADDED", object: { kind: "Pod", metadata: { name: "first" } } })}\n`);
    });
    // A program that says its path and sends back what it gets.
    api.on("upgrade", (incoming, socket: Duplex) => {
      this.programs.add(socket);
      socket.on("error", () => socket.destroy());
      socket.once("close", () => this.programs.delete(socket));
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${incoming.headers.upgrade}\r\n\r\n${incoming.url}`,
      );
      socket.pipe(socket);
    });
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    this.closing(api, (server) => {
      server.closeAllConnections();
      server.close();
    });
    // A TCP server has an address object once it listens.
    this.api = `127.0.0.1:${(api.address() as AddressInfo).port}`;
    this.application = this.closing(await startMainApplicationStandIn(), (one) => one.close());
    const secrets = this.closing(createKasSecrets(), ({ directory }) => rmSync(directory, { recursive: true }));
    const options = { mainApplication: this.application.address, secrets, env };
    this.kas = this.closing(await startKasProcess(options), (one) => one.stop());
  }
}
