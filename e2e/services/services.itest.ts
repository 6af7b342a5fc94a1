// needs: redis, prometheus
import { afterAll, beforeAll, expect, test } from "vitest";

import { upgrade } from "./echo-service.ts";
import { ServiceScene } from "./service-scene.ts";

const MIB = 1024 * 1024;

let scene: ServiceScene;

beforeAll(async () => {
  scene = await ServiceScene.start();
});

afterAll(() => scene.stop());

async function bodyOf(answer: Response): Promise<object> {
  // Every refusal is a Status.
  const { message } = (await answer.json()) as { message: string };
  return { code: answer.status, reason: answer.headers.get("binnacle-service-refusal"), message };
}

test("a query goes through another kas to a real Prometheus, and its answer comes back as it is", async () => {
  const answer = await scene.ask(scene.far, `prometheus/api/v1/query?query=${encodeURIComponent('big{at="7"}')}`);
  expect(answer.headers.get("kas-route")).toBe("hops=1");
  expect(await answer.json()).toMatchObject({
    status: "success",
    data: { result: [{ metric: { at: "7" }, value: [expect.any(Number), "7"] }] },
  });
  expect((await scene.ask(scene.near, "prometheus/api/v1/query?query=up")).headers.get("kas-route")).toBe("hops=0");
});

test("a range query of more than 10 MB is streamed whole over two kas", async () => {
  const start = Math.floor(Date.now() / 1_000);
  const query = new URLSearchParams({ query: "last_over_time(big[6h])", start: String(start), end: String(start + 10_800), step: "1" });
  const [through, direct] = await Promise.all([
    scene.ask(scene.far, `prometheus/api/v1/query_range?${query.toString()}`),
    fetch(`http://127.0.0.1:${scene.prometheus.port}/api/v1/query_range?${query.toString()}`),
  ]);
  const body = Buffer.from(await through.arrayBuffer());
  expect(body.length).toBeGreaterThan(10 * MIB);
  expect(body.equals(Buffer.from(await direct.arrayBuffer()))).toBe(true);
});

test("figures of a workload come with their queries, and are of its namespace alone", async () => {
  const answer = await scene.ask(scene.far, "prometheus/-/metrics?metric=memory&namespace=shop&kind=deployment&name=web", "user-2");
  expect(await answer.json()).toMatchObject({
    metric: "memory",
    unit: "bytes",
    lines: [
      { of: "usage", query: expect.stringContaining('namespace="shop"'), samples: [[expect.any(Number), "1048576"]] },
      { of: "requests", samples: [[expect.any(Number), "2097152"]] },
      { of: "limits", samples: [[expect.any(Number), "4194304"]] },
    ],
  });
  const cpu = (await (await scene.ask(scene.near, "prometheus/-/metrics?metric=cpu&namespace=shop&kind=deployment&name=web")).json()) as {
    lines: { samples: [number, string][] }[];
  };
  expect(Number(cpu.lines[0]?.samples[0]?.[1])).toBeGreaterThan(0);
  const end = Math.floor(Date.now() / 1_000);
  const range = await scene.ask(scene.near, `prometheus/-/metrics?metric=memory&namespace=shop&start=${end - 60}&end=${end}&step=1`);
  const { lines } = (await range.json()) as typeof cpu;
  expect(lines[0]?.samples.length).toBeGreaterThan(1);
});

test("T36: figures are for users who may get and list the pods there", async () => {
  const question = "prometheus/-/metrics?metric=memory&namespace=";
  expect(await bodyOf(await scene.ask(scene.far, `${question}other`))).toEqual({
    code: 403,
    reason: "pods_forbidden",
    message: "agent: you may not get pods in namespace other, so its metrics are not shown",
  });
  scene.forbiddenVerb = "list";
  expect(await bodyOf(await scene.ask(scene.far, `${question}shop`))).toMatchObject({
    code: 403,
    message: expect.stringContaining("you may not list pods"),
  });
  scene.forbiddenVerb = undefined;
});

test("a service that never answers is a 504 with the reason", async () => {
  expect(await bodyOf(await scene.ask(scene.far, "silent/"))).toEqual({
    code: 504,
    reason: "service_silent",
    message: "agent: service silent has not begun to answer in 1 s",
  });
});

test("T36: a service that redirects to the metadata address is refused", async () => {
  const answer = await scene.ask(scene.far, "redirecting/");
  expect(answer.headers.get("location")).toBeNull();
  expect(await bodyOf(answer)).toMatchObject({ code: 502, reason: "service_redirects" });
});

test("T36: a service on loopback is rejected, because no flag names it", async () => {
  const before = scene.api.requests.length;
  expect(await bodyOf(await scene.ask(scene.far, "loopback/"))).toMatchObject({
    code: 403,
    reason: "service_address_refused",
    message: expect.stringContaining("loopback"),
  });
  expect(scene.api.requests.slice(before).every((requests) => /^GET \/api(s\/discovery\.k8s\.io)?\/v1\//.test(requests))).toBe(true);
});

test("T36: the rejection states what is not allowed, and does not reveal which services there are", async () => {
  const sentence = (name: string) =>
    `agent: the agent's configuration allows you no service "${name}" (services in binnacle.yaml; raw of its entry says who may send requests)`;
  expect(await bodyOf(await scene.ask(scene.far, "prometheus/api/v1/query?query=up", "user-2"))).toEqual({
    code: 403,
    reason: "service_not_allowed",
    message: sentence("prometheus"),
  });
  expect(await bodyOf(await scene.ask(scene.far, "grafana/"))).toEqual({
    code: 403,
    reason: "service_not_allowed",
    message: sentence("grafana"),
  });
  expect(await bodyOf(await scene.ask(scene.far, "prometheus/metrics"))).toMatchObject({ code: 403, reason: "service_request_refused" });
});

test("a WebSocket is opened where the entry allows it, and carries bytes both ways until one side ends", async () => {
  const { status, headers, socket } = await upgrade(scene.far.addresses.k8sProxy, "/-/services/echo/live");
  expect([status, headers["sec-websocket-accept"], headers["set-cookie"]]).toEqual([101, "accepted", undefined]);
  const bytes = Buffer.alloc(3 * MIB, "frames");
  const received: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => received.push(chunk));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  socket.end(bytes);
  await ended;
  expect(Buffer.concat(received).equals(bytes)).toBe(true);
});

test("T1, T36: a WebSocket that is not allowed, and one that the service does not open, get an answer in words and no bytes pass", async () => {
  const refused = async (path: string, headers = {}) => {
    const { status, body } = await upgrade(scene.far.addresses.k8sProxy, path, headers);
    // Every refusal is a Status.
    return { status, message: (JSON.parse(body) as { message: string }).message };
  };
  expect(await refused("/-/services/plain/live")).toEqual({
    status: 403,
    message: "agent: service plain does not accept WebSockets",
  });
  expect(await refused("/-/services/echo/closed")).toEqual({
    status: 502,
    message: "agent: service echo answers 426 instead of changing to WebSocket",
  });
  expect(await refused("/-/services/echo/live", { origin: "https://evil.example" })).toMatchObject({ status: 403 });
  expect(await refused("/-/services/echo/live", { authorization: "Bearer pat:7:nobody" })).toMatchObject({ status: 401 });
  expect(await refused("/-/services/echo/%2e%2e/x")).toMatchObject({ status: 400 });
});
