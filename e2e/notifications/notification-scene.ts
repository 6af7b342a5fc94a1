import type { IncomingHttpHeaders } from "node:http";

import { KasReplicas, startAgentkProcess, type AgentkProcess, type KasProcess } from "@binnacle/testing";

import { startRepositoryStandIn } from "../services/repository-stand-in.ts";
import { startStandInServer } from "../services/stand-in-server.ts";

/** A notification as a receiver got it. */
interface Notification {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly fact: { readonly id: string; readonly type: string; readonly [key: string]: unknown };
}

/** Two kas with one Redis that tell one receiver, and replicas of agent 7 at either. */
export class NotificationScene {
  readonly notifications: Notification[] = [];
  /** Base64 secret with which notifications are signed. */
  secretFile = "";
  #kas: readonly KasProcess[] = [];
  readonly #closers: (() => Promise<unknown> | void)[] = [];

  /** Starts it without an agent. @param notifications more of that part of kas' configuration */
  static async start(notifications: object = {}): Promise<NotificationScene> {
    const scene = new NotificationScene();
    try {
      await scene.#start(notifications);
    } catch (error) {
      await scene.stop();
      throw error;
    }
    return scene;
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }

  /** A replica of the agent. @param at the first or the second kas */
  async agent(at: 0 | 1, cluster: { readonly server: string; readonly flags?: readonly string[] }): Promise<AgentkProcess> {
    const kasAddress = `grpc://${this.#kas[at]?.addresses.agent ?? ""}`;
    return this.#closing(await startAgentkProcess({ kasAddress, token: "glagent-7", ...cluster }), (one) => one.stop());
  }

  /** The received facts, once for each id, as receivers do. */
  facts(...types: readonly string[]): Notification["fact"][] {
    const facts = new Map(this.notifications.map(({ fact }) => [fact.id, fact]));
    return [...facts.values()].filter(({ type }) => types.length === 0 || types.includes(type));
  }

  async #start(notifications: object): Promise<void> {
    const receiver = await startStandInServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        this.notifications.push({ headers: request.headers, text, fact: JSON.parse(text) as Notification["fact"] });
        response.writeHead(204).end();
      });
    });
    this.#closing(receiver, (server) => server.close());
    const files = new Map([[".gitlab/agents/agent-7/config.yaml", "observability: {}\n"]]);
    const gitaly = this.#closing(await startRepositoryStandIn(files), (one) => one.close());
    const replicas = this.#closing(await KasReplicas.start({ gitaly: gitaly.address, projects: 1 }), (one) => one.stop());
    this.secretFile = replicas.secrets.file;
    const url = `http://127.0.0.1:${receiver.port}/`;
    const webhook = { name: "hook", url, secret_file: this.secretFile, allow_private_network: true };
    const configuration = { notifications: { webhooks: [webhook], disconnect_grace: "1s", ...notifications } };
    this.#kas = [await replicas.startKas({ configuration }), await replicas.startKas({ configuration })];
  }

  #closing<T>(thing: T, close: (thing: T) => Promise<unknown> | void): T {
    this.#closers.push(() => close(thing));
    return thing;
  }
}
