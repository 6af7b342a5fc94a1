import { Counter, Registry } from "prom-client";
import { afterEach, expect, test } from "vitest";

import { createLogger, openProbeServer, type ProbeServer } from "./index.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function open(
  ready: () => readonly string[] | Promise<readonly string[]> = () => [],
  registry = new Registry(),
): Promise<ProbeServer> {
  const server = await openProbeServer({
    host: "127.0.0.1",
    port: 0,
    paths: { metrics: "/metrics", liveness: "/liveness", readiness: "/readiness" },
    registry,
    ready,
    log: createLogger("test", "silent"),
  });
  stops.push(() => server.close());
  return server;
}

async function get(server: ProbeServer, path: string, method = "GET"): Promise<{ status: number; body: string }> {
  const response = await fetch(`http://${server.address}${path}`, { method });
  return { status: response.status, body: await response.text() };
}

test("the metrics of the registry are served", async () => {
  const registry = new Registry();
  new Counter({ name: "test_things_total", help: "Things", registers: [registry] }).inc(3);
  const answer = await get(await open(() => [], registry), "/metrics?name=x");
  expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("test_things_total 3") });
});

test("a program that is not ready is alive", async () => {
  const server = await open(() => ["Redis does not answer"]);
  expect((await get(server, "/liveness")).status).toBe(200);
});

test("readiness names every problem and turns once they are gone", async () => {
  let problems = ["Redis does not answer", "shutting down"];
  const server = await open(() => Promise.resolve(problems));
  expect(await get(server, "/readiness")).toEqual({ status: 500, body: "Redis does not answer\nshutting down\n" });
  problems = [];
  expect((await get(server, "/readiness")).status).toBe(200);
});

test("a readiness check that fails is not ready and says nothing of its cause", async () => {
  const server = await open(() => Promise.reject(new Error("password=hunter2")));
  expect(await get(server, "/readiness")).toEqual({ status: 500, body: "internal error\n" });
});

test("other paths do not exist and other methods are not allowed", async () => {
  const server = await open();
  expect((await get(server, "/")).status).toBe(404);
  expect((await get(server, "/metrics/x")).status).toBe(404);
  expect((await get(server, "/liveness", "POST")).status).toBe(405);
});

test("a port that is taken is named in the error", async () => {
  const port = Number((await open()).address.split(":")[1]);
  const paths = { metrics: "/m", liveness: "/l", readiness: "/r" };
  const second = openProbeServer({
    host: "127.0.0.1",
    port,
    paths,
    registry: new Registry(),
    ready: () => [],
    log: createLogger("test", "silent"),
  });
  await expect(second).rejects.toThrow(`observability listener cannot listen on 127.0.0.1:${port}`);
});

test("after the abort nothing listens any more", async () => {
  const server = await open();
  await get(server, "/liveness");
  for (const stop of stops.splice(0)) await stop();
  await expect(get(server, "/liveness")).rejects.toThrow("fetch failed");
});
