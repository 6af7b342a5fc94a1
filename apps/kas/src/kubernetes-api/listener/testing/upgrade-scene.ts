import { once } from "node:events";
import type { Socket } from "node:net";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { HttpResponseSchema } from "@binnacle/proto/grpctool";
import { settle, until } from "@binnacle/testing";

import type { AuditRecord } from "@binnacle/telemetry/audit";
import { PREFIX, ProxyUnderTest } from "./proxy-under-test.ts";

export const PAT_LINE = "Authorization: Bearer pat:7:good";
export const SERVICE_PATH = `${PREFIX}-/services/live/socket?x=1`;
export const EXEC_PATH = `${PREFIX}api/v1/namespaces/shop/pods/web-0/exec?command=sh&command=-c&command=canary&container=app&stdin=true`;
const WEBSOCKET = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="];

interface UpgradeInit {
  readonly lines?: readonly string[];
  readonly path?: string;
  readonly method?: string;
  /** Sent behind the headers. */
  readonly more?: string;
  readonly upgrade?: readonly string[];
}

/** A message of the agent, as `create` takes it. */
export type AgentMessage = NonNullable<MessageInitShape<typeof HttpResponseSchema>["message"]>;

/** Start of an answer. */
export const head = (statusCode: number, header: Readonly<Record<string, string>> = {}): AgentMessage => ({
  case: "header",
  value: {
    response: { statusCode, header: Object.fromEntries(Object.entries(header).map(([name, value]) => [name, { value: [value] }])) },
  },
});
/** Bytes of an upgraded connection. */
export const bytes = (text: string | Uint8Array): AgentMessage => ({ case: "upgradeData", value: { data: Buffer.from(text) } });
export const TRAILER: AgentMessage = { case: "trailer", value: {} };

/** A connection of a client that requests an upgrade. */
export interface UpgradeClient {
  readonly socket: Socket;
  /** What has arrived so far. */
  readonly received: () => string;
  readonly closed: Promise<unknown>;
}

/** A proxy whose clients request upgrades; a test sends the agent's messages. */
export class UpgradeScene {
  readonly records: AuditRecord[] = [];
  /** "opened" and outcomes of upgraded connections. */
  readonly counted: string[] = [];
  proxy!: ProxyUnderTest;

  static async start(): Promise<UpgradeScene> {
    const scene = new UpgradeScene();
    const { records, counted } = scene;
    scene.proxy = await ProxyUnderTest.start({
      audit: { add: (record) => void records.push(record) },
      upgrades: {
        idleMs: 600_000,
        maxMs: 3_600_000,
        onOpened: () => void counted.push("opened"),
        onEnded: (outcome) => void counted.push(outcome),
      },
    });
    scene.proxy.router.onRequest = () => undefined;
    return scene;
  }

  stop(): Promise<void> {
    return this.proxy.stop();
  }

  /** Requests an upgrade. */
  dial({ lines = [PAT_LINE], path = EXEC_PATH, method = "GET", more = "", upgrade = WEBSOCKET }: UpgradeInit = {}): UpgradeClient {
    const socket = this.proxy.dial({ allowHalfOpen: true });
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.write([`${method} ${path} HTTP/1.1`, "Host: kas", "Connection: Upgrade", ...upgrade, ...lines, "", more].join("\r\n"));
    return { socket, received: () => received, closed: once(socket, "close") };
  }

  /** A connection that is upgraded already. */
  async upgraded(init: UpgradeInit & { readonly protocol?: string } = {}): Promise<UpgradeClient> {
    const calls = this.proxy.router.calls.length;
    const connection = this.dial(init);
    await this.requested(calls + 1);
    this.answer(head(101, { Connection: "Upgrade", Upgrade: init.protocol ?? "websocket" }));
    this.answer(TRAILER);
    await until(() => connection.received().includes("101 Switching Protocols"));
    return connection;
  }

  /** So many requests have reached the agent in full. */
  async requested(calls = 1): Promise<void> {
    await until(() => this.proxy.router.calls[calls - 1]?.messages.some(({ message }) => message.case === "trailer") === true);
  }

  /** Sends a message of the agent. */
  answer(message: AgentMessage): void {
    this.proxy.call().listener.message(toBinary(HttpResponseSchema, create(HttpResponseSchema, { message })));
  }

  /** The agent ends the call. */
  end(code = 0, message = ""): void {
    this.proxy.call().listener.end({ code, message, trailer: new Map(), stage: "answered" });
  }

  /** Bytes of the client that the agent has received. */
  sent(): string[] {
    const { messages } = this.proxy.call();
    return messages.flatMap(({ message }) => (message.case === "upgradeData" ? [Buffer.from(message.value.data).toString()] : []));
  }

  /** What was counted once the first upgraded connection has ended, as "opened", "draining". */
  async outcomes(): Promise<readonly string[]> {
    await until(() => this.counted.length >= 2);
    return this.counted;
  }

  /** Sends to a client that does not read, until kas takes no more from the agent. */
  async fill(socket: Socket): Promise<void> {
    socket.pause();
    for (let waited = 0; waited < 50; waited += 1) {
      if (!this.proxy.call().paused) {
        this.answer(bytes(new Uint8Array(64 * 1024)));
        waited = 0;
      }
      await settle();
    }
  }
}
