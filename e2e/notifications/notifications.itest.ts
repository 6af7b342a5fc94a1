// needs: redis
import { createHmac } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";

import {
  createKasSecrets,
  freePort,
  startAgentkProcess,
  startKasProcess,
  startMainApplicationStandIn,
  startRedisServer,
  until,
  type AgentkProcess,
  type KasProcess,
} from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startRepositoryStandIn } from "../services/repository-stand-in.ts";
import { startStandInServer } from "../services/stand-in-server.ts";

interface Told {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly fact: { readonly id: string; readonly type: string; readonly agent_id: number; readonly commit_id?: string };
}

const closers: (() => Promise<unknown> | void)[] = [];
const closing = <T>(thing: T, close: (thing: T) => Promise<unknown> | void): T => {
  closers.push(() => close(thing));
  return thing;
};
const told: Told[] = [];
/** What was told of an agent, once for each id: receivers are told to look at it. */
const typesOf = (agentId: number): string[] => [
  ...new Map(told.filter(({ fact }) => fact.agent_id === agentId).map(({ fact }) => [fact.id, fact.type])).values(),
];

let secretFile: string;
let kas: readonly [KasProcess, KasProcess];
let api: number;

beforeAll(async () => {
  const receiver = closing(
    await startStandInServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        told.push({ headers: request.headers, text, fact: JSON.parse(text) as Told["fact"] });
        response.writeHead(204).end();
      });
    }),
    (server) => server.close(),
  );
  const cluster = closing(await startStandInServer((_request, response) => response.end("{}")), (server) => server.close());
  api = cluster.port;
  const files = new Map([[".gitlab/agents/agent-7/config.yaml", "observability: {}\n"]]);
  const gitaly = closing(await startRepositoryStandIn(files), (one) => one.close());
  const application = closing(await startMainApplicationStandIn({ gitaly: gitaly.address, projects: 1 }), (one) => one.close());
  const redis = closing(await startRedisServer(), (one) => one.stop());
  const secrets = closing(createKasSecrets(), ({ directory }) => rmSync(directory, { recursive: true }));
  secretFile = secrets.file;
  const webhook = { name: "hook", url: `http://127.0.0.1:${receiver.port}/`, secret_file: secretFile, allow_private_network: true };
  const startKas = async (): Promise<KasProcess> =>
    closing(
      await startKasProcess({
        mainApplication: application.address,
        secrets,
        redis: `127.0.0.1:${redis.port}`,
        ports: { privateApi: await freePort() },
        configuration: { notifications: { webhooks: [webhook], disconnect_grace: "1s" } },
      }),
      (one) => one.stop(),
    );
  kas = [await startKas(), await startKas()];
});

afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function agentAt(at: 0 | 1): Promise<AgentkProcess> {
  const agent = { kasAddress: `grpc://${kas[at].addresses.agent}`, token: "glagent-7", server: `http://127.0.0.1:${api}` };
  return closing(await startAgentkProcess(agent), (one) => one.stop());
}

test("of an agent with replicas at two kas a receiver hears once that it came and once that it went, and that its configuration is applied", async () => {
  const first = await agentAt(0);
  await until(() => typesOf(7).includes("agent_connected") && typesOf(7).includes("configuration_applied"));
  const second = await agentAt(1);
  await until(() => second.program.output.includes("configuration received"));
  await first.stop();
  // The grace of the kas that lost it, and as long again.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(typesOf(7).filter((type) => type.startsWith("agent_"))).toEqual(["agent_connected"]);
  await second.stop();
  await until(() => typesOf(7).includes("agent_disconnected"));
  expect(typesOf(7).filter((type) => type.startsWith("agent_"))).toEqual(["agent_connected", "agent_disconnected"]);
  const applied = told.find(({ fact }) => fact.type === "configuration_applied");
  expect(applied?.fact.commit_id).toMatch(/^c0ffee0+$/);
});

test("T38: what is told is signed, and says nothing of the cluster", async () => {
  const secret = Buffer.from(readFileSync(secretFile, "utf8").trim(), "base64");
  for (const { headers, text } of told) {
    const [id, timestamp] = [headers["webhook-id"], headers["webhook-timestamp"]];
    const expected = createHmac("sha256", secret)
      .update(`${String(id)}.${String(timestamp)}.${text}`)
      .digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
  }
  const keys = new Set(told.flatMap(({ text }) => Object.keys(JSON.parse(text) as object)));
  expect([...keys].toSorted()).toEqual(["agent_id", "commit_id", "id", "occurred_at", "project_id", "type", "version"]);
});
