import type { IncomingMessage, ServerResponse } from "node:http";

import { MetricKind, MetricsSource, type GetMetricsResponse } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { createStatus } from "@binnacle/kube";
import { HurriedClock, ManualClock } from "@binnacle/testing";
import { renderEnglish } from "@binnacle/words/render-english";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test } from "vitest";

import { NAMES } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const WEB = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: "prod", name: "web" };
const POD = { group: "", version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "web-1" };
const SELECTOR = { matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "In", values: ["a", "b"] }] };
const RESOURCES = { requests: { cpu: "250m", memory: "64Mi" }, limits: { memory: "128Mi" } };

type Answering = (url: URL, response: ServerResponse) => void;

let world: DashboardWorld;
let clock: HurriedClock;
/** Queries that kas received, except discovery. */
let queries: string[];
let prometheus: Answering;
let cluster: Readonly<Record<string, Answering>>;

beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "guest"]);
  clock = new HurriedClock();
  queries = [];
  prometheus = figures;
  cluster = {
    "/apis/metrics.k8s.io/v1beta1/namespaces/prod/pods": json({
      kind: "PodMetricsList",
      items: [podMetrics("web-1"), podMetrics("web-2")],
    }),
    "/apis/metrics.k8s.io/v1beta1/namespaces/prod/pods/web-1": json(podMetrics("web-1")),
    "/api/v1/namespaces/prod/pods": json({ kind: "PodList", metadata: {}, items: [pod("web-1"), pod("web-2")] }),
    "/api/v1/namespaces/prod/pods/web-1": json(pod("web-1")),
    "/apis/apps/v1/namespaces/prod/deployments/web": json({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "prod" },
      spec: { selector: SELECTOR },
    }),
  };
  world.kas.cluster = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://kas.invalid");
    queries.push(`${url.pathname}?${url.searchParams.toString()}`);
    request.resume();
    if (url.pathname.startsWith("/-/services/")) return prometheus(url, response);
    return (cluster[url.pathname] ?? refusing(404))(url, response);
  };
  world.start(clock);
});
afterEach(() => world.close());

function json(body: object): Answering {
  return (_url, response) => void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Of the API server, or with a reason of agentk. */
function refusing(code: number, reason?: string, message = "no"): Answering {
  const causes = [{ reason, message }];
  return (_url, response) =>
    void response
      .writeHead(code, { "content-type": "application/json", ...(reason !== undefined && { "binnacle-service-refusal": reason }) })
      .end(JSON.stringify(createStatus(code, message, reason === undefined ? {} : { details: { causes } })));
}

function podMetrics(name: string): object {
  const containers = [{ name: "c", usage: { cpu: "100m", memory: "32Mi" } }];
  return { kind: "PodMetrics", metadata: { name }, containers };
}

function pod(name: string): object {
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers: [{ name: "c", resources: RESOURCES }] } };
}

/** What agentk answers: figures at the first and the last moment, and nothing between. */
function figures(url: URL, response: ServerResponse): void {
  const [start, end] = ["start", "end"].map((key) => Number(url.searchParams.get(key)));
  const metric = url.searchParams.get("metric");
  const lines = [
    {
      of: "usage",
      query: `usage of ${metric}`,
      samples: [
        [start, "0.1"],
        [end, "0.25"],
      ],
    },
    { of: "limits", query: `limits of ${metric}`, samples: [] },
  ];
  json({ metric, lines })(url, response);
}

const get = (more: object = {}, cookie?: string): Promise<GetMetricsResponse> =>
  world.clientWith(cookie).getMetrics({ ...NAMES, ref: WEB, ...more });
const sentenceOf = (answer: GetMetricsResponse): string => renderEnglish(answer.words && fromWordsMessage(answer.words));
const serviceQueries = (): string[] => queries.filter((path) => path.startsWith("/-/services/"));

test("lines of Prometheus come with their queries, sixty moments, and gaps where nothing was measured", async () => {
  const answer = await get({ kinds: [MetricKind.CPU] });
  expect(answer).toMatchObject({ source: MetricsSource.PROMETHEUS, service: "prometheus", namespaces: ["prod"], moreNamespaces: 0 });
  expect(answer.words).toBeUndefined();
  expect(answer.step?.seconds).toBe(30n);
  const [cpu] = answer.metrics;
  // Of limits nothing is measured: that is no line.
  expect(cpu?.series.map(({ name, queries }) => [name, queries])).toEqual([["usage", ["usage of cpu"]]]);
  const values = cpu?.series[0]?.values ?? [];
  expect([values.length, values[0], values[1], values[59]]).toEqual([60, 0.1, Number.NaN, 0.25]);
});

test("the question names the workload, and the service that the configuration says", async () => {
  world.start(clock, { metrics: { service: "thanos" } });
  await get({ kinds: [MetricKind.MEMORY], minutes: 60 });
  const [question = ""] = serviceQueries();
  expect(question).toMatch(
    /^\/-\/services\/thanos\/-\/metrics\?metric=memory&namespace=prod&kind=deployment&name=web&start=\d+&end=\d+&step=60$/,
  );
});

test("without kinds all metrics are queried, of the environment too", async () => {
  expect((await get({ ref: undefined })).metrics.map(({ kind }) => kind)).toEqual([1, 2, 3, 4]);
  expect((await get({ ref: POD })).metrics.map(({ kind }) => kind)).toEqual([1, 2, 3]);
});

test("T36: a query for one moment is sent once for one credential, and again for another", async () => {
  world.start(new ManualClock(clock.now()));
  await Promise.all([get({ kinds: [MetricKind.CPU] }), get({ kinds: [MetricKind.CPU] })]);
  await get({ kinds: [MetricKind.CPU] });
  expect(serviceQueries()).toHaveLength(1);
  await get({ kinds: [MetricKind.CPU] }, "_gitlab_session=session-guest");
  expect(serviceQueries()).toHaveLength(2);
});

test("T36: whom the agent refuses is never shown what another was", async () => {
  await get({ kinds: [MetricKind.CPU] });
  prometheus = refusing(403, "pods_forbidden");
  cluster = {};
  const answer = await get({ kinds: [MetricKind.CPU] }, "_gitlab_session=session-guest");
  expect(answer.metrics).toEqual([]);
  expect(sentenceOf(answer)).toContain("you may not get and list pods in namespace prod");
});

test.each([
  [403, "service_not_allowed", "the agent's configuration opens no service prometheus for metrics"],
  [403, "pods_forbidden", "you may not get and list pods in namespace prod"],
  [403, "service_address_refused", "the agent may not connect to the address of service prometheus: why"],
  [403, "service_withdrawn", "service prometheus has just been taken out of the agent's configuration, or changed in it: why"],
  [400, "service_request_refused", "the agent rejects this query: why"],
  [502, "service_redirects", "service prometheus leads elsewhere: why"],
  [502, "service_answer_refused", "the answer of service prometheus cannot be used: why"],
  [503, "service_unreachable", "service prometheus cannot be reached: why"],
  [504, "service_silent", "service prometheus does not answer: why"],
  [503, "agent_rights_missing", "the agent lacks a right that it needs to reach service prometheus: why"],
  [418, "of_tomorrow", "the agent sends no request to service prometheus: agent: why"],
  [404, undefined, "this agent server (kas) or agent reaches no services of the cluster: GitLab's own kas and old releases do not"],
  [501, undefined, "this agent server (kas) or agent reaches no services of the cluster: GitLab's own kas and old releases do not"],
] as const)("%i %s: present values of metrics.k8s.io are used instead, with the reason", async (code, reason, sentence) => {
  prometheus = refusing(code, reason, "agent: why");
  const answer = await get();
  expect(answer.source).toBe(MetricsSource.METRICS_API);
  expect(sentenceOf(answer).replace(": why", "")).toBe(`Only present values, of metrics.k8s.io: ${sentence.replace(": why", "")}`);
  expect(answer.step).toBeUndefined();
  expect(answer.metrics.map(({ kind, series }) => [kind, series.map(({ name, values, queries }) => [name, values, queries])])).toEqual([
    [
      MetricKind.CPU,
      [
        ["usage", [0.2], []],
        ["requests", [0.5], []],
      ],
    ],
    [
      MetricKind.MEMORY,
      [
        ["usage", [64 * 2 ** 20], []],
        ["requests", [128 * 2 ** 20], []],
        ["limits", [256 * 2 ** 20], []],
      ],
    ],
  ]);
});

test("a workload's pods are found by its selector", async () => {
  prometheus = refusing(403, "service_not_allowed");
  await get();
  const selected = queries.filter((path) => path.includes("labelSelector"));
  expect(selected).toHaveLength(2);
  for (const path of selected) expect(new URLSearchParams(path.split("?")[1]).get("labelSelector")).toBe("app=web,tier in (a,b)");
});

test("a refusal is remembered for a minute: who passes over many cards asks once", async () => {
  prometheus = refusing(403, "service_not_allowed");
  await get({ kinds: [MetricKind.CPU] });
  const once = serviceQueries().length;
  clock.skip(59_000);
  await get({ ref: POD });
  expect(serviceQueries()).toHaveLength(once);
  clock.skip(2_000);
  prometheus = figures;
  expect((await get({ ref: POD })).source).toBe(MetricsSource.PROMETHEUS);
});

test("a query that failed for a moment is sent again soon", async () => {
  prometheus = (_url, response) => void response.socket?.destroy();
  expect((await get()).source).toBe(MetricsSource.METRICS_API);
  prometheus = figures;
  clock.skip(6_000);
  expect((await get()).source).toBe(MetricsSource.PROMETHEUS);
});

test.each([
  ["without samples", (url: URL, response: ServerResponse) => json({ lines: [{ of: "usage", query: "q", samples: [] }] })(url, response)],
  [
    "of no number",
    (url: URL, response: ServerResponse) => {
      const at = Number(url.searchParams.get("end"));
      json({ lines: [{ of: "usage", query: "q", samples: [[at, "NaN"], [at, "+Inf"], [at, 3], "x"] }] })(url, response);
    },
  ],
])("an answer %s is no zero: metrics.k8s.io is queried", async (_what, answering) => {
  prometheus = answering;
  const answer = await get();
  expect(answer.source).toBe(MetricsSource.METRICS_API);
  expect(sentenceOf(answer)).toContain("service prometheus has measured nothing of it");
});

test.each([
  ["is not served", refusing(404), "the cluster serves no metrics.k8s.io, or has not measured this yet"],
  ["may not be read", refusing(403), "you may not read pods of metrics.k8s.io in namespace prod"],
  [
    "is away",
    refusing(503, undefined, "the server is currently unable to handle the request"),
    "the server is currently unable to handle the request",
  ],
  [
    "has measured nothing",
    json({ kind: "PodMetricsList", items: [] }),
    "the cluster serves no metrics.k8s.io, or has not measured this yet",
  ],
])("where metrics.k8s.io %s too, the answer has the reason and no number", async (_what, answering, sentence) => {
  prometheus = refusing(403, "service_not_allowed");
  cluster = { ...cluster, "/apis/metrics.k8s.io/v1beta1/namespaces/prod/pods": answering };
  const answer = await get();
  expect(answer).toMatchObject({ source: MetricsSource.UNSPECIFIED, metrics: [] });
  expect(sentenceOf(answer)).toBe(`No metrics: the agent's configuration opens no service prometheus for metrics; ${sentence}`);
});

test("who may not list pods is shown no requests and limits, and still what is used", async () => {
  prometheus = refusing(403, "pods_forbidden");
  cluster = { ...cluster, "/api/v1/namespaces/prod/pods": refusing(403) };
  expect((await get()).metrics[0]?.series.map(({ name }) => name)).toEqual(["usage"]);
});

test("requests and limits are not sent when there are more pods than are read", async () => {
  prometheus = refusing(403, "service_not_allowed");
  const many = json({ kind: "PodList", metadata: { continue: "more" }, items: [pod("web-1")] });
  cluster = { ...cluster, "/api/v1/namespaces/prod/pods": many };
  expect((await get()).metrics[0]?.series.map(({ name }) => name)).toEqual(["usage"]);
});

test("an Ingress has requests alone, and metrics.k8s.io none", async () => {
  const ingress = { ...WEB, group: "networking.k8s.io", kind: "Ingress", resource: "ingresses" };
  expect((await get({ ref: ingress })).metrics.map(({ kind }) => kind)).toEqual([MetricKind.REQUESTS]);
  clock.skip(6_000);
  prometheus = refusing(403, "service_not_allowed");
  expect(sentenceOf(await get({ ref: ingress }))).toMatch(/metrics\.k8s\.io measures no Ingress$/);
});

test("without a service in the configuration no Prometheus is queried", async () => {
  world.start(clock, { metrics: { service: "" } });
  const answer = await get({ ref: POD });
  expect(serviceQueries()).toEqual([]);
  expect(sentenceOf(answer)).toBe("Only present values, of metrics.k8s.io");
  expect(answer.metrics[0]?.series[0]?.values).toEqual([0.1]);
});

test.each([
  ["of a kind that nothing is measured of", { ref: { ...WEB, group: "", kind: "Secret", resource: "secrets" } }, Code.InvalidArgument],
  ["of a resource that is not named", { ref: { ...WEB, name: "../x" } }, Code.InvalidArgument],
  ["of more than a day", { minutes: 1_441 }, Code.InvalidArgument],
  ["of a resource of another namespace", { ref: { ...WEB, namespace: "other" } }, Code.NotFound],
  ["of an environment that is not there", { environment: "nowhere" }, Code.NotFound],
])("a question %s asks no cluster", async (_what, more, code) => {
  await expect(get(more)).rejects.toMatchObject({ code });
  expect(queries).toEqual([]);
});

test("an answer without end is cut", async () => {
  prometheus = (_url, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.on("error", () => {});
    const more = (): void => {
      while (!response.destroyed && response.write(" ".repeat(64 * 1024)));
    };
    response.on("drain", more);
    more();
  };
  expect((await get()).source).toBe(MetricsSource.METRICS_API);
});
