// needs: redis
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

import { until } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startStandInServer, type StandInServer } from "../services/stand-in-server.ts";
import { NotificationScene } from "./notification-scene.ts";

let scene: NotificationScene;
let cluster: StandInServer;

beforeAll(async () => {
  cluster = await startStandInServer((_request, response) => response.end("{}"));
  scene = await NotificationScene.start();
});
afterAll(async () => {
  await scene.stop();
  await cluster.close();
});

const presence = (): string[] => scene.facts("agent_connected", "agent_disconnected").map(({ type }) => type);

test("of an agent with replicas at two kas a receiver hears once that it came and once that it went, and that its configuration is applied", async () => {
  const server = `http://127.0.0.1:${cluster.port}`;
  const first = await scene.agent(0, { server });
  await until(() => scene.facts("agent_connected").length > 0 && scene.facts("configuration_applied").length > 0);
  const second = await scene.agent(1, { server });
  await until(() => second.program.output.includes("configuration received"));
  await first.stop();
  // The grace of the kas that lost it, and as long again.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(presence()).toEqual(["agent_connected"]);
  await second.stop();
  await until(() => presence().includes("agent_disconnected"));
  expect(presence()).toEqual(["agent_connected", "agent_disconnected"]);
  expect(scene.facts("configuration_applied")[0]?.["commit_id"]).toMatch(/^c0ffee0+$/);
});

test("T38: notifications are signed, and have no content of the cluster", async () => {
  const secret = Buffer.from(readFileSync(scene.secretFile, "utf8").trim(), "base64");
  for (const { headers, text } of scene.notifications) {
    const [id, timestamp] = [headers["webhook-id"], headers["webhook-timestamp"]];
    const expected = createHmac("sha256", secret)
      .update(`${String(id)}.${String(timestamp)}.${text}`)
      .digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
  }
  const keys = new Set(scene.facts().flatMap((fact) => Object.keys(fact)));
  expect([...keys].toSorted()).toEqual(["agent_id", "commit_id", "id", "occurred_at", "project_id", "type", "version"]);
});
