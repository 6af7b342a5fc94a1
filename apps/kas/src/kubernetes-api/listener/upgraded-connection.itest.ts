import { Fault } from "@binnacle/rpc";
import { settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { bytes, SERVICE_PATH, UpgradeScene } from "./testing/upgrade-scene.ts";

let scene: UpgradeScene;
beforeEach(async () => {
  scene = await UpgradeScene.start();
});
afterEach(() => scene.stop());

test("a call that the agent never saw is made again", async () => {
  scene.dial();
  await scene.requested();
  scene.proxy.call().fail(14, "the agent retired the tunnel", "not_started");
  await scene.requested(2);
  expect(scene.proxy.router.calls).toHaveLength(2);
});

test("a wait for an agent times out, a missing agent is reported, and a kas that shuts down cuts all connections", async () => {
  const silent = scene.dial();
  await scene.requested();
  scene.proxy.clock.advance(70_000);
  await silent.closed;
  expect(silent.received()).toContain("has not begun to answer in 70 s");
  const running = await scene.upgraded();
  scene.proxy.proxy.leave();
  await running.closed;
  expect(await scene.outcomes()).toEqual(["opened", "draining"]);
  scene.proxy.router.failure = new Fault("cannot_upgrade", "agent 7 is connected, but cannot upgrade connections");
  const old = scene.dial();
  await old.closed;
  expect(old.received()).toMatch(/^HTTP\/1\.1 501 [\s\S]*"reason":"cannot_upgrade"/);
});

test("a client that ends its half is half-closed towards the agent, and gets what comes after", async () => {
  const { socket, received, closed } = await scene.upgraded();
  socket.end("last");
  await until(() => scene.proxy.call().halfClosed);
  expect(scene.sent()).toEqual(["last"]);
  scene.answer(bytes("answer"));
  scene.end();
  await closed;
  expect(received()).toMatch(/answer$/);
  expect(await scene.outcomes()).toEqual(["opened", "ended"]);
});

test("a client that has ended its half does not hold a silent agent for an hour", async () => {
  const { socket, closed } = await scene.upgraded();
  socket.end();
  await until(() => scene.proxy.call().halfClosed);
  scene.proxy.clock.advance(30_000);
  await closed;
  expect(scene.proxy.call().cancelled).toBe(true);
  expect(await scene.outcomes()).toEqual(["opened", "client_left"]);
});

test("a client that leaves cancels the call, before the answer too", async () => {
  const early = scene.dial();
  await scene.requested();
  early.socket.end();
  await until(() => scene.proxy.call().cancelled || scene.proxy.call().request.signal.aborted);
  const { socket } = await scene.upgraded();
  socket.resetAndDestroy();
  await until(() => scene.counted.length === 2);
  expect(scene.proxy.call().cancelled).toBe(true);
  expect(await scene.outcomes()).toEqual(["opened", "client_left"]);
});

test("an agent that is lost ends it, behind the bytes that came", async () => {
  const { received, closed } = await scene.upgraded();
  scene.answer(bytes("so far"));
  scene.end(14, "the tunnel broke");
  await closed;
  expect(received()).toMatch(/so far$/);
  expect(await scene.outcomes()).toEqual(["opened", "agent_lost"]);
});

test("it ends when it carries nothing, and a byte in either direction is something", async () => {
  const { socket, closed } = await scene.upgraded();
  for (const move of [() => scene.answer(bytes("x")), () => void socket.write("y")]) {
    for (let part = 0; part < 11; part += 1) {
      await scene.proxy.clock.elapse(50_000);
      await scene.proxy.answers();
    }
    const before = scene.sent().length;
    move();
    if (before === 0) await settle();
  }
  await until(() => scene.sent().length === 1);
  for (let part = 0; part < 11; part += 1) {
    await scene.proxy.clock.elapse(50_000);
    await scene.proxy.answers();
  }
  expect(scene.counted).toEqual(["opened"]);
  await scene.proxy.clock.elapse(50_000);
  await closed;
  expect(await scene.outcomes()).toEqual(["opened", "idle"]);
});

test("it ends after its longest time, however much it carries", async () => {
  const { closed } = await scene.upgraded();
  for (let part = 0; part < 71; part += 1) {
    scene.answer(bytes("x"));
    await scene.proxy.clock.elapse(50_000);
    await scene.proxy.answers();
  }
  expect(scene.counted).toEqual(["opened"]);
  await scene.proxy.clock.elapse(50_000);
  await closed;
  expect(await scene.outcomes()).toEqual(["opened", "too_long"]);
});

test("T14: a client that reads nothing for 20 s while bytes wait for it is cut; a silent one is not", async () => {
  const { socket } = await scene.upgraded();
  await scene.proxy.clock.elapse(25_000);
  await scene.fill(socket);
  await scene.proxy.clock.elapse(19_000);
  expect(scene.counted).toEqual(["opened"]);
  await scene.proxy.clock.elapse(2_000);
  await until(() => scene.counted.length === 2);
  expect(await scene.outcomes()).toEqual(["opened", "stalled"]);
  expect(scene.proxy.call().cancelled).toBe(true);
  socket.destroy();
});

test("T14: a client that reads again goes on", async () => {
  const { socket } = await scene.upgraded();
  await scene.fill(socket);
  await scene.proxy.clock.elapse(15_000);
  socket.resume();
  await until(() => !scene.proxy.call().paused);
  await scene.proxy.clock.elapse(15_000);
  expect(scene.counted).toEqual(["opened"]);
  socket.destroy();
});

test("T14: an agent that takes nothing for 20 s stops the client, and is cut", async () => {
  const { socket, closed } = await scene.upgraded();
  scene.proxy.call().room = false;
  socket.write("x");
  await until(() => scene.sent().length === 1);
  socket.write("y");
  await settle();
  expect(scene.sent()).toEqual(["x"]);
  scene.proxy.call().drain();
  await until(() => scene.sent().length === 2);
  scene.proxy.call().room = false;
  socket.write("z");
  await until(() => scene.sent().length === 3);
  scene.proxy.clock.advance(20_000);
  await closed;
  expect(await scene.outcomes()).toEqual(["opened", "stalled"]);
});

test("T42: an exec is recorded at its start and its end, by its program without its arguments, and a refused one with its code", async () => {
  const { socket, received } = await scene.upgraded();
  scene.answer(bytes("12345"));
  await until(() => received().includes("12345"));
  socket.write("abc");
  await until(() => scene.sent().length === 1);
  scene.end();
  await until(() => scene.records.length === 2);
  scene.proxy.router.failure = new Fault("agent_not_connected", "no");
  await scene.dial({ path: SERVICE_PATH }).closed;
  await until(() => scene.records.length === 4);
  const action = {
    verb: "connect",
    apiGroup: "",
    resource: "pods",
    subresource: "exec",
    namespace: "shop",
    name: "web-0",
    container: "app",
    program: "sh",
    programArguments: 2,
  };
  const service = { service: "live", method: "GET" };
  expect(scene.records).toMatchObject([
    { event: "start", action, agentId: 7n },
    { event: "end", action, code: 101, outcome: "ended", bytesIn: 3, bytesOut: 5 },
    { event: "start", action: service },
    { event: "end", action: service, code: 503 },
  ]);
  expect(scene.records[3]).not.toHaveProperty("outcome");
  const text = JSON.stringify(scene.records, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  expect(text).not.toContain("canary");
});
