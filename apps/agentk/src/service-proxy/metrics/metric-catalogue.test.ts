import { expect, test } from "vitest";

import { METRICS, queriesOf, SUBJECTS } from "./metric-catalogue.ts";
import { metricsRequestOf } from "./metrics-request.ts";

const of = (query: Readonly<Record<string, string>>) =>
  metricsRequestOf(
    Object.fromEntries(
      Object.entries(query).map(([key, value]) => [key, { $typeName: "gitlab.agent.prototool.Values" as const, value: [value] }]),
    ),
  );
const queries = (query: Readonly<Record<string, string>>) => of(query).queries.map(({ of: line, query: text }) => `${line}: ${text}`);
const WEB = { namespace: "shop", kind: "deployment", name: "web" };

test("a workload's figures are those of its pods in its namespace, beside what they reserve", () => {
  expect(queries({ ...WEB, metric: "cpu" })).toMatchInlineSnapshot(`
    [
      "usage: sum(rate(container_cpu_usage_seconds_total{namespace="shop",pod=~"web-[bcdfghjklmnpqrstvwxz2456789]+-[bcdfghjklmnpqrstvwxz2456789]{5}",container!="",container!="POD"}[5m]))",
      "requests: sum(kube_pod_container_resource_requests{namespace="shop",pod=~"web-[bcdfghjklmnpqrstvwxz2456789]+-[bcdfghjklmnpqrstvwxz2456789]{5}",resource="cpu"})",
      "limits: sum(kube_pod_container_resource_limits{namespace="shop",pod=~"web-[bcdfghjklmnpqrstvwxz2456789]+-[bcdfghjklmnpqrstvwxz2456789]{5}",resource="cpu"})",
    ]
  `);
  expect(queries({ ...WEB, metric: "memory" })[0]).toContain("container_memory_working_set_bytes");
  expect(queries({ ...WEB, metric: "restarts" })).toHaveLength(1);
  expect(queries({ ...WEB, metric: "requests" })[0]).toContain('destination_workload_namespace="shop",destination_workload="web"');
  expect(queries({ namespace: "shop", kind: "pod", name: "a.b", metric: "memory" })[0]).toContain('{namespace="shop",pod="a.b",');
  expect(queries({ namespace: "shop", kind: "stateful_set", name: "a.b", metric: "restarts" })[0]).toContain(
    String.raw`pod=~"a\\.b-[0-9]+"`,
  );
  expect(queries({ namespace: "shop", metric: "restarts" })[0]).toContain('{namespace="shop"}');
});

test("T36: every query names only the requested namespace", () => {
  for (const metric of METRICS)
    for (const kind of SUBJECTS) {
      const subject = { namespace: "shop", kind, name: kind === "namespace" ? "" : "web" };
      const found = queriesOf(metric, subject).map(({ query }) => query);
      for (const query of found) expect(query.match(/namespace="shop"/g)).toHaveLength(1);
    }
});

test.each([
  [{ ...WEB, metric: "disk" }, "metric must be one of cpu, memory, restarts, requests"],
  [{ ...WEB, kind: "node", metric: "cpu" }, "kind must be one of"],
  [{ ...WEB, namespace: 'x"} or {a="', metric: "cpu" }, "names of Kubernetes"],
  [{ ...WEB, name: 'web"}', metric: "cpu" }, "names of Kubernetes"],
  [{ ...WEB, name: "web.*", metric: "cpu" }, "names of Kubernetes"],
  [{ ...WEB, name: "", metric: "cpu" }, "names of Kubernetes"],
  [{ metric: "cpu" }, "names of Kubernetes"],
  [{ ...WEB, metric: "cpu", query: "up" }, '"query" is no key'],
  [{ ...WEB, metric: "cpu", start: "1" }, "all three of them"],
  [{ ...WEB, metric: "cpu", start: "0", end: "10000", step: "1" }, "1000 steps"],
  [{ ...WEB, metric: "cpu", start: "5", end: "1", step: "1" }, "31 days"],
  [{ ...WEB, metric: "cpu", start: "1", end: "1", step: "0" }, "31 days"],
  [{ namespace: "shop", kind: "job", name: "a", metric: "requests" }, "there is no metric requests of a job"],
])("T36: a question is refused that could become another query: %j", (query, why) => {
  expect(() => of(query)).toThrow(why);
});
