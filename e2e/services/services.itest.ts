// needs: redis, prometheus
import { rmSync } from "node:fs";

import {
  createKasSecrets,
  eventually,
  freePort,
  startAgentkProcess,
  startKasProcess,
  startMainApplicationStandIn,
  startRedisServer,
  type KasProcess,
} from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startPrometheus, type RealPrometheus } from "./real-prometheus.ts";
import { startEchoService, upgrade } from "./echo-service.ts";
import { startRepositoryStandIn } from "./repository-stand-in.ts";
import { startStandInServer, type StandInServer } from "./stand-in-server.ts";

const MIB = 1024 * 1024;
const POD = 'namespace="shop",pod="web-7d4b9c6f5d-x2x4z",container="web"';
const SERIES = 60;
const service = (name: string, more: object = {}) => ({
  name,
  namespace: "monitoring",
  service: name,
  port: 80,
  raw: { users: ["user-1"] },
  ...more,
});
const OPTIONS = {
  services: [
    service("prometheus", { path_prefix: "/api/v1/", metrics: true }),
    service("silent", { answer_within: "1s" }),
    service("redirecting"),
    service("loopback"),
    service("echo", { upgrades: true }),
    service("plain"),
  ],
};

const closers: (() => Promise<unknown> | void)[] = [];
const closing = <T>(thing: T, close: (thing: T) => Promise<unknown> | void): T => {
  closers.push(() => close(thing));
  return thing;
};

let prometheus: RealPrometheus;
let api: StandInServer;
let near: KasProcess;
let far: KasProcess;
let forbiddenVerb: string | undefined;

/** What a cluster's metrics look like; CPU time goes on with the clock. */
function measurements(): string {
  const seconds = (Date.now() / 1_000) * 0.25;
  return [
    `container_cpu_usage_seconds_total{${POD}} ${seconds}`,
    `container_memory_working_set_bytes{${POD}} 1048576`,
    `kube_pod_container_resource_requests{${POD},resource="memory"} 2097152`,
    `kube_pod_container_resource_limits{${POD},resource="memory"} 4194304`,
    `container_memory_working_set_bytes{namespace="other",pod="web-7d4b9c6f5d-x2x4z",container="web"} 99`,
    ...Array.from({ length: SERIES }, (_, at) => `big{at="${at}"} ${at}`),
    "",
  ].join("\n");
}

beforeAll(async () => {
  const scripted = closing(await startStandInServer((_request, response) => response.end(measurements())), (server) => server.close());
  prometheus = closing(await startPrometheus(`127.0.0.1:${scripted.port}`), (one) => one.stop());
  const silent = closing(await startStandInServer(() => {}), (server) => server.close());
  const echo = closing(await startEchoService(), (one) => one.close());
  const location = "http://169.254.169.254/latest/meta-data/";
  const redirecting = closing(
    await startStandInServer((_request, response) => void response.writeHead(307, { location }).end()),
    (server) => server.close(),
  );
  api = closing(
    await startStandInServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => response.end(JSON.stringify(clusterAnswer(request.url ?? "", Buffer.concat(chunks).toString()))));
    }),
    (server) => server.close(),
  );
  const files = new Map([
    [".gitlab/agents/agent-7/config.yaml", "observability: {}\n"],
    [".gitlab/agents/agent-7/binnacle.yaml", JSON.stringify(OPTIONS)],
  ]);
  const gitaly = closing(await startRepositoryStandIn(files), (one) => one.close());
  const application = closing(await startMainApplicationStandIn({ gitaly: gitaly.address, projects: 1 }), (one) => one.close());
  const redis = closing(await startRedisServer(), (one) => one.stop());
  const secrets = closing(createKasSecrets(), ({ directory }) => rmSync(directory, { recursive: true }));
  const startKas = async (): Promise<KasProcess> => {
    const own = { privateApi: await freePort() };
    const kas = { mainApplication: application.address, secrets, redis: `127.0.0.1:${redis.port}`, ports: own };
    return closing(await startKasProcess(kas), (one) => one.stop());
  };
  [near, far] = [await startKas(), await startKas()];
  const endpoint = (name: string, port: number) => ["--service-endpoint", `monitoring/${name}=127.0.0.1:${port}`];
  const agentk = closing(
    await startAgentkProcess({
      kasAddress: `grpc://${near.addresses.agent}`,
      token: "glagent-7",
      server: `http://127.0.0.1:${api.port}`,
      flags: [
        ...endpoint("prometheus", prometheus.port),
        ...endpoint("silent", silent.port),
        ...endpoint("redirecting", redirecting.port),
        ...endpoint("echo", echo.port),
        ...endpoint("plain", echo.port),
      ],
    }),
    (one) => one.stop(),
  );
  await eventually(
    () => (agentk.program.output.includes("configuration received") ? undefined : `${near.program.output}\n${agentk.program.output}`),
    60_000,
  );
  await prometheus.measured(`rate(container_cpu_usage_seconds_total[5m]) > 0`);
});

afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A cluster in which Services are on loopback, and in which one may do everything but `forbiddenVerb`. */
function clusterAnswer(url: string, body: string): unknown {
  if (url.includes("/selfsubjectaccessreviews")) {
    // agentk writes this body itself.
    const { spec } = JSON.parse(body) as { spec: { resourceAttributes: { verb: string; namespace: string } } };
    return { status: { allowed: spec.resourceAttributes.verb !== forbiddenVerb && spec.resourceAttributes.namespace === "shop" } };
  }
  if (url.includes("/endpointslices"))
    return { items: [{ endpoints: [{ addresses: ["127.0.0.1"] }], ports: [{ name: "", port: api.port }] }] };
  return { spec: { ports: [{ name: "", port: 80 }] } };
}

const ask = (kas: KasProcess, path: string, token = "user-1") =>
  fetch(`http://${kas.addresses.k8sProxy}/-/services/${path}`, { headers: { authorization: `Bearer pat:7:${token}` }, redirect: "manual" });

async function said(answer: Response): Promise<object> {
  // Every refusal is a Status.
  const { message } = (await answer.json()) as { message: string };
  return { code: answer.status, reason: answer.headers.get("binnacle-service-refusal"), message };
}

test("a query goes through another kas to a real Prometheus, and its answer comes back as it is", async () => {
  const answer = await ask(far, `prometheus/api/v1/query?query=${encodeURIComponent('big{at="7"}')}`);
  expect(answer.headers.get("kas-route")).toBe("hops=1");
  expect(await answer.json()).toMatchObject({
    status: "success",
    data: { result: [{ metric: { at: "7" }, value: [expect.any(Number), "7"] }] },
  });
  expect((await ask(near, "prometheus/api/v1/query?query=up")).headers.get("kas-route")).toBe("hops=0");
});

test("a range query of more than 10 MB is streamed whole over two kas", async () => {
  const start = Math.floor(Date.now() / 1_000);
  const query = new URLSearchParams({ query: "last_over_time(big[6h])", start: String(start), end: String(start + 10_800), step: "1" });
  const [through, direct] = await Promise.all([
    ask(far, `prometheus/api/v1/query_range?${query.toString()}`),
    fetch(`http://127.0.0.1:${prometheus.port}/api/v1/query_range?${query.toString()}`),
  ]);
  const body = Buffer.from(await through.arrayBuffer());
  expect(body.length).toBeGreaterThan(10 * MIB);
  expect(body.equals(Buffer.from(await direct.arrayBuffer()))).toBe(true);
});

test("figures of a workload come with the queries that were asked for them, and are of its namespace alone", async () => {
  const answer = await ask(far, "prometheus/-/metrics?metric=memory&namespace=shop&kind=deployment&name=web", "user-2");
  expect(await answer.json()).toMatchObject({
    metric: "memory",
    unit: "bytes",
    lines: [
      { of: "usage", query: expect.stringContaining('namespace="shop"'), samples: [[expect.any(Number), "1048576"]] },
      { of: "requests", samples: [[expect.any(Number), "2097152"]] },
      { of: "limits", samples: [[expect.any(Number), "4194304"]] },
    ],
  });
  const cpu = (await (await ask(near, "prometheus/-/metrics?metric=cpu&namespace=shop&kind=deployment&name=web")).json()) as {
    lines: { samples: [number, string][] }[];
  };
  expect(Number(cpu.lines[0]?.samples[0]?.[1])).toBeGreaterThan(0);
  const end = Math.floor(Date.now() / 1_000);
  const range = await ask(near, `prometheus/-/metrics?metric=memory&namespace=shop&start=${end - 60}&end=${end}&step=1`);
  const { lines } = (await range.json()) as typeof cpu;
  expect(lines[0]?.samples.length).toBeGreaterThan(1);
});

test("T36: figures are for whoever may get and list the pods there", async () => {
  const question = "prometheus/-/metrics?metric=memory&namespace=";
  expect(await said(await ask(far, `${question}other`))).toEqual({
    code: 403,
    reason: "pods_forbidden",
    message: "agent: you may not get pods in namespace other, so its metrics are not shown",
  });
  forbiddenVerb = "list";
  expect(await said(await ask(far, `${question}shop`))).toMatchObject({
    code: 403,
    message: expect.stringContaining("you may not list pods"),
  });
  forbiddenVerb = undefined;
});

test("a service that never answers is a 504 with the reason", async () => {
  expect(await said(await ask(far, "silent/"))).toEqual({
    code: 504,
    reason: "service_silent",
    message: "agent: service silent has not begun to answer in 1 s",
  });
});

test("T36: a service that redirects to the metadata address is refused", async () => {
  const answer = await ask(far, "redirecting/");
  expect(answer.headers.get("location")).toBeNull();
  expect(await said(answer)).toMatchObject({ code: 502, reason: "service_redirects" });
});

test("T36: a service on loopback is refused, for nobody has named it by flag", async () => {
  const before = api.asked.length;
  expect(await said(await ask(far, "loopback/"))).toMatchObject({
    code: 403,
    reason: "service_address_refused",
    message: expect.stringContaining("loopback"),
  });
  expect(api.asked.slice(before).every((asked) => /^GET \/api(s\/discovery\.k8s\.io)?\/v1\//.test(asked))).toBe(true);
});

test("T36: what is not allowed is said, and does not tell which services there are", async () => {
  const sentence = (name: string) => `agent: the agent's configuration allows you no service "${name}" (services in binnacle.yaml)`;
  expect(await said(await ask(far, "prometheus/api/v1/query?query=up", "user-2"))).toEqual({
    code: 403,
    reason: "service_not_allowed",
    message: sentence("prometheus"),
  });
  expect(await said(await ask(far, "grafana/"))).toEqual({ code: 403, reason: "service_not_allowed", message: sentence("grafana") });
  expect(await said(await ask(far, "prometheus/metrics"))).toMatchObject({ code: 403, reason: "service_request_refused" });
});

test("a WebSocket is opened where the entry allows it, and carries bytes both ways until one side ends", async () => {
  const { status, headers, socket } = await upgrade(far.addresses.k8sProxy, "/-/services/echo/live");
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
    const { status, body } = await upgrade(far.addresses.k8sProxy, path, headers);
    // Every refusal is a Status.
    return { status, message: (JSON.parse(body) as { message: string }).message };
  };
  expect(await refused("/-/services/plain/live")).toEqual({
    status: 403,
    message: "agent: service plain may not be asked for a WebSocket",
  });
  expect(await refused("/-/services/echo/closed")).toEqual({
    status: 502,
    message: "agent: service echo answers 426 instead of changing to WebSocket",
  });
  expect(await refused("/-/services/echo/live", { origin: "https://evil.example" })).toMatchObject({ status: 403 });
  expect(await refused("/-/services/echo/live", { authorization: "Bearer pat:7:nobody" })).toMatchObject({ status: 401 });
  expect(await refused("/-/services/echo/%2e%2e/x")).toMatchObject({ status: 400 });
});
