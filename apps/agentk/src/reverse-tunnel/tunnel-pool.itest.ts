import { writeFileSync } from "node:fs";

import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas } from "../testing/fake-kas.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../whole-agent/running-agent.ts";
import { endBody, exchange, nextResponse, startRequest } from "../testing/tunnelled-request.ts";

let kas: FakeKas;
let api: ApiStandIn;
let agent: RunningAgent;

beforeEach(async () => {
  kas = await FakeKas.listen();
  api = await ApiStandIn.listen();
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
});

afterEach(async () => {
  await kas.close();
  await agent.stop();
  await api.close();
});

describe("the pool", () => {
  test("starts with ten tunnels that identify the agent and list its methods", async () => {
    await kas.opened(10);
    const { headers } = await kas.tunnel();
    expect(headers).toMatchObject({
      authorization: "Bearer glagent-test",
      "agentk-caps": "impersonation,upgrade,logs",
      "user-agent": expect.stringMatching(/^agentk\/v[^/]+\/[^/]+$/),
    });
    expect(new Set(kas.tunnels.map((tunnel) => tunnel.headers["agentk-instance"])).size).toBe(1);
    expect(kas.openTunnels).toBe(10);
  });

  test("replaces a tunnel while its request still runs", async () => {
    api.answer = (_request, response) => response.flushHeaders();
    await kas.opened(10);
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { path: "/watch" });
    endBody(tunnel);
    await kas.opened(11);
    expect(tunnel.open).toBe(true);
  });

  test("grows when requests take all of it at once", async () => {
    api.answer = (_request, response) => response.flushHeaders();
    await kas.opened(10);
    const taken = await Promise.all(Array.from({ length: 10 }, () => kas.tunnel()));
    for (const tunnel of taken) startRequest(tunnel, { path: "/watch" });
    for (const tunnel of taken) endBody(tunnel);
    await kas.opened(30);
    expect(kas.openTunnels).toBeGreaterThanOrEqual(30);
  });

  test("does not grow for requests that come one after the other", async () => {
    await kas.opened(10);
    for (let count = 0; count < 50; count += 1) expect((await exchange(await kas.tunnel(), { path: "/x" })).statusCode).toBe(200);
    expect(kas.openTunnels).toBeLessThanOrEqual(12);
  });

  test("is back at once after ten cancelled watches", async () => {
    api.answer = (_request, response) => response.flushHeaders();
    for (let count = 0; count < 10; count += 1) {
      const tunnel = await kas.tunnel();
      startRequest(tunnel, { path: "/watch" });
      endBody(tunnel);
      await nextResponse(tunnel);
      // As Go's kas says that its client has left.
      if (count % 2 === 0) tunnel.end({ code: 14, message: "unavailable" });
      else tunnel.reset();
    }
    api.answer = (_request, response) => void response.end("ok");
    for (let count = 0; count < 10; count += 1) expect((await exchange(await kas.tunnel(), { path: "/x" })).body).toBe("ok");
    expect(agent.backoffs).toEqual([]);
  });

  test("opens a tunnel again when kas ends it unused, without a delay", async () => {
    await kas.opened(10);
    for (let count = 1; count <= 20; count += 1) {
      (await kas.tunnel()).end();
      await kas.opened(10 + count);
    }
    expect(agent.backoffs).toEqual([]);
  });

  test("waits after a refusal, tries with one tunnel, and fills when that is accepted", async () => {
    await kas.opened(10);
    kas.refuse = { code: 14, message: "not now" };
    (await kas.tunnel()).end({ code: 14, message: "not now" });
    await kas.refusals(3);
    // It waited before each of them: had it tried with several at once, there were fewer waits than tries.
    expect(agent.backoffs.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...agent.backoffs)).toBeGreaterThanOrEqual(50);
    kas.refuse = undefined;
    await kas.opened(11);
    expect(kas.openTunnels).toBe(10);
  });

  test("I13: at kas' limit it waits five seconds or more, however many of its tunnels are in use, and says so once", async () => {
    await kas.opened(10);
    kas.refuse = { code: 8, message: "too many connections" };
    for (let count = 0; count < 9; count += 1) {
      expect((await exchange(await kas.tunnel(), { path: "/x" })).statusCode).toBe(200);
      await kas.refusals(1);
    }
    // Had a taken tunnel begun a new attempt, there were as many refusals.
    expect(kas.refused).toHaveLength(1);
    expect(agent.backoffs).toHaveLength(1);
    expect(agent.backoffs[0]).toBeGreaterThanOrEqual(5_000);
    expect(agent.lines.filter((line) => line.includes("refused"))).toEqual(["warn: kas refused a tunnel"]);
  });

  test("KB4, I13: a refusal that says when to come back is waited out", async () => {
    await kas.opened(10);
    kas.refuse = { code: 14, message: "too many wait" };
    kas.refusalTrailer = new Map([["retry-after", ["30"]]]);
    expect((await exchange(await kas.tunnel(), { path: "/x" })).statusCode).toBe(200);
    await kas.refusals(1);
    await until(() => agent.backoffs.length > 0);
    expect(agent.backoffs).toHaveLength(1);
    expect(agent.backoffs[0]).toBeGreaterThanOrEqual(30_000);
    expect(agent.backoffs[0]).toBeLessThanOrEqual(36_000);
  });

  test("KB4: a new connection does not end the wait: it gets one tunnel, not ten", async () => {
    await kas.opened(10);
    kas.refuse = { code: 14, message: "too many wait" };
    kas.refusalTrailer = new Map([["retry-after", ["30"]]]);
    (await kas.tunnel()).end({ code: 14, message: "too many wait" });
    await kas.refusals(1);
    for (const round of [1, 2]) {
      kas.sessions.at(-1)?.destroy();
      await kas.refusals(1 + round);
      // A round trip: had more come with it, they were here before the pong.
      await new Promise((resolve) => kas.sessions.at(-1)?.ping(resolve));
      expect(kas.refused).toHaveLength(1 + round);
    }
    kas.refuse = undefined;
    kas.sessions.at(-1)?.destroy();
    await kas.opened(20);
  });

  test("I5: an idle tunnel is given back to a kas that says nothing by a reset, never by half-close", async () => {
    await kas.close();
    await agent.stop();
    kas = await FakeKas.listen();
    kas.earlyHeader = undefined;
    agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
    await kas.opened(10);
    const first = [...kas.tunnels];
    kas.sessions[0]?.goaway(0);
    await kas.opened(20);
    expect(new Set(await Promise.all(first.map((tunnel) => tunnel.halfClosed)))).toEqual(new Set([false]));
    expect(new Set(first.map((tunnel) => tunnel.rstCode))).toEqual(new Set([8]));
    expect((await exchange(await kas.tunnel(), { path: "/x" })).statusCode).toBe(200);
    expect(agent.backoffs).toEqual([]);
  });

  test("I5: early headers without our word are no permission to half-close", async () => {
    await kas.close();
    await agent.stop();
    kas = await FakeKas.listen();
    kas.earlyHeader = new Map([["kas-caps", ["something-else"]]]);
    agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
    await kas.opened(10);
    const idle = await kas.tunnel();
    await agent.stop();
    expect(await idle.halfClosed).toBe(false);
    agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
  });

  test("carries one request per tunnel and ends its side when it is answered", async () => {
    const tunnel = await kas.tunnel();
    await exchange(tunnel, { path: "/x" });
    expect(await tunnel.halfClosed).toBe(true);
  });

  test("breaks off a tunnel whose first frame makes no sense and opens another", async () => {
    await kas.opened(10);
    const tunnel = await kas.tunnel();
    tunnel.closeSend();
    await tunnel.halfClosed;
    await kas.opened(11);
    expect((await exchange(await kas.tunnel(), { path: "/x" })).statusCode).toBe(200);
  });
});

describe("the connection", () => {
  test("after GOAWAY a new one is opened while the request on the old one goes on", async () => {
    let finish = (): void => {};
    api.answer = (_request, response) => {
      response.flushHeaders();
      finish = () => response.end("done");
    };
    await kas.opened(10);
    const busy = await kas.tunnel();
    startRequest(busy, { path: "/slow" });
    endBody(busy);
    expect(await nextResponse(busy)).toMatchObject({ case: "header" });
    const idle = await kas.tunnel();
    kas.sessions[0]?.goaway(0);
    await kas.opened(21);
    expect(kas.sessions).toHaveLength(2);
    expect(await idle.halfClosed).toBe(true);
    finish();
    expect(await nextResponse(busy)).toMatchObject({ case: "data" });
  });

  test("is opened again after it broke", async () => {
    await kas.opened(10);
    kas.sessions[0]?.destroy();
    await kas.opened(20);
    expect((await exchange(await kas.tunnel(), { path: "/x" })).statusCode).toBe(200);
  });

  test("readiness follows it, liveness does not", async () => {
    await kas.opened(10);
    const probe = async (path: string): Promise<number> => (await fetch(`http://${agent.observability}${path}`)).status;
    expect(await probe("/readiness")).toBe(200);
    kas.server.close();
    kas.sessions[0]?.destroy();
    // Each question is a round trip: nothing else has to be waited for between two of them.
    while ((await probe("/readiness")) !== 500);
    expect(await probe("/liveness")).toBe(200);
    expect(await probe("/other")).toBe(404);
    const metrics = await (await fetch(`http://${agent.observability}/metrics`)).text();
    expect(metrics).toContain("agentk_kas_connected 0");
    kas.server.listen(0, "127.0.0.1");
  });
});

describe("a wrong token", () => {
  test("is tried again with what the file holds by then", async () => {
    await kas.opened(10);
    kas.refuse = { code: 16, message: "unknown token" };
    (await kas.tunnel()).end({ code: 16, message: "unknown token" });
    await kas.refusals(1);
    writeFileSync(agent.tokenFile, "glagent-new");
    await kas.refusals(2);
    kas.refuse = undefined;
    await kas.opened(11);
    expect(kas.tunnels.at(-1)?.headers["authorization"]).toBe("Bearer glagent-new");
  });
});

describe("the stop", () => {
  test("lets the running request finish and gives idle tunnels back", async () => {
    let finish = (): void => {};
    api.answer = (_request, response) => {
      response.flushHeaders();
      finish = () => response.end("done");
    };
    await kas.opened(10);
    const busy = await kas.tunnel();
    startRequest(busy, { path: "/slow" });
    endBody(busy);
    await nextResponse(busy);
    const idle = await kas.tunnel();
    const stopped = agent.stop();
    expect(await idle.halfClosed).toBe(true);
    finish();
    expect(await nextResponse(busy)).toMatchObject({ case: "data" });
    expect(await nextResponse(busy)).toMatchObject({ case: "trailer" });
    busy.end();
    await stopped;
    agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
  });
});
