import { expect, test } from "vitest";

import { createKasMetrics, type KasMetrics } from "./metrics.ts";

const BUILD = { version: "1.2.3", gitRef: "abc" };

async function valueOf(metrics: KasMetrics, name: string, labels: Record<string, string | number> = {}): Promise<number | undefined> {
  const values = (await metrics.registry.getMetricsAsJSON()).find((metric) => metric.name === name.replace(/_count$/, ""))?.values ?? [];
  const wanted = JSON.stringify(labels);
  return values.find((value) => JSON.stringify(value.labels) === wanted && (!("metricName" in value) || value.metricName === name))?.value;
}

test("T28: answered requests are counted by their status, and a nonsensical one makes no new label", async () => {
  const metrics = createKasMetrics(BUILD);
  for (const code of [200, 200, 503, 0, 100_000, Number.NaN]) metrics.proxied(code);
  expect(await valueOf(metrics, "kas_proxied_requests_total", { code: "200" })).toBe(2);
  expect(await valueOf(metrics, "kas_proxied_requests_total", { code: "503" })).toBe(1);
  expect(await valueOf(metrics, "kas_proxied_requests_total", { code: "other" })).toBe(3);
});

test("tunnels are counted when the metrics are read", async () => {
  const metrics = createKasMetrics(BUILD);
  let open = 2;
  metrics.watchTunnels({ counts: () => ({ agents: 1, open, idle: 1, waiting: 0, connections: 1 }) });
  expect(await valueOf(metrics, "kas_tunnels_open")).toBe(2);
  open = 5;
  expect(await valueOf(metrics, "kas_tunnels_open")).toBe(5);
});

test("the search for a tunnel is observed in seconds by its outcome", async () => {
  const metrics = createKasMetrics(BUILD);
  metrics.routing.routed("local", 3);
  metrics.routing.routed("agent_not_connected", 20_000);
  const text = await metrics.registry.metrics();
  expect(text).toContain('kas_route_wait_seconds_bucket{le="0.005",outcome="local"} 1');
  expect(text).toContain('kas_route_wait_seconds_sum{outcome="agent_not_connected"} 20');
});

test("KB5: connections and streams to other kas are gauges, those that wait for a place too", async () => {
  const metrics = createKasMetrics(BUILD);
  metrics.watchPeers({ counts: () => ({ sessions: 2, open: 1_500, queued: 7 }) });
  expect(await valueOf(metrics, "kas_peer_sessions")).toBe(2);
  expect(await valueOf(metrics, "kas_peer_streams", { state: "open" })).toBe(1_500);
  expect(await valueOf(metrics, "kas_peer_streams", { state: "queued" })).toBe(7);
});

test("KS9: errors of ours that ended calls are counted", async () => {
  const metrics = createKasMetrics(BUILD);
  metrics.routing.listenerBug();
  expect(await valueOf(metrics, "kas_call_bugs_total")).toBe(1);
});

test("violations, refused hops, rogue routes and rogue reports each have a counter", async () => {
  const metrics = createKasMetrics(BUILD);
  metrics.routing.frameViolation("agent");
  metrics.routing.hopRefused();
  metrics.routing.rogueRoute();
  metrics.routing.rogueSync();
  expect(await valueOf(metrics, "kas_frame_violations_total", { side: "agent" })).toBe(1);
  expect(await valueOf(metrics, "kas_hop_refusals_total")).toBe(1);
  expect(await valueOf(metrics, "kas_rogue_routes_total")).toBe(1);
  expect(await valueOf(metrics, "kas_rogue_syncs_total")).toBe(1);
});

test("XM13: what is refused is counted by listener and reason", async () => {
  const metrics = createKasMetrics(BUILD);
  metrics.routing.refused("agent", "token_unknown");
  metrics.routing.refused("agent", "token_unknown");
  metrics.routing.refused("api", "jwt_invalid");
  expect(await valueOf(metrics, "kas_refused_streams_total", { listener: "agent", reason: "token_unknown" })).toBe(2);
  expect(await valueOf(metrics, "kas_refused_streams_total", { listener: "api", reason: "jwt_invalid" })).toBe(1);
});

test("the build is shown, and two kas in one process do not collide", async () => {
  createKasMetrics(BUILD);
  const metrics = createKasMetrics(BUILD);
  expect(await valueOf(metrics, "kas_build_info", { version: "1.2.3", git_ref: "abc" })).toBe(1);
});
