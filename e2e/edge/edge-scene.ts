import { rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

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

  /** Starts an agent and waits until requests reach its cluster. @param env of agentk */
  async startAgent(kasAddress: string, env: Readonly<Record<string, string>> = {}): Promise<AgentkProcess> {
    const options = { kasAddress, token: "glagent-7", server: `http://${this.api}`, env };
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

  async #start(env: Readonly<Record<string, string>>): Promise<void> {
    const api = createServer((request, response) => {
      response.setHeader("content-type", "application/json");
      if (request.url?.includes("watch=true") !== true) {
        response.end(JSON.stringify({ gitVersion: "v1.36.3", path: request.url }));
        return;
      }
      this.watches.add(response);
      response.once("close", () => this.watches.delete(response));
      // One small event, and then nothing: a watch without news.
      response.write(`${JSON.stringify({ type: "ADDED", object: { kind: "Pod", metadata: { name: "first" } } })}\n`);
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
