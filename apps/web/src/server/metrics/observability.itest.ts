import { createLogger } from "@binnacle/telemetry";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { webConfigSchema } from "../config/config.ts";
import { openObservability, createWebMetrics } from "./web-metrics.ts";

test("XM7, W16: refusals are counted by reason, where the configuration says", async () => {
  const metrics = createWebMetrics();
  metrics.refused("viewer_streams");
  metrics.refused("sign_in_client");
  metrics.refused("sign_in_client");
  const listener = await openObservability({
    config: webConfigSchema.shape.observability.parse({ listen: { address: "127.0.0.1:0" } }),
    registry: metrics.registry,
    ready: () => ["the dashboard is stopping"],
    log: createLogger("web", "silent"),
  });
  try {
    const page = await (await fetch(`http://${listener.address}/metrics`)).text();
    expect(page).toContain('web_refused_requests_total{reason="viewer_streams"} 1');
    expect(page).toContain('web_refused_requests_total{reason="sign_in_client"} 2');
    const readiness = await fetch(`http://${listener.address}/readyz`);
    expect([readiness.status, await readiness.text()]).toEqual([500, "the dashboard is stopping\n"]);
  } finally {
    await listener.close();
  }
});

test("W16: calls, streams, their bytes and requests are counted, with labels from closed sets", async () => {
  const metrics = createWebMetrics();
  const { registry, calls } = metrics;
  const endStream = calls.begin({ method: "WatchEnvironment", stream: true });
  calls.begin({ method: "WatchEnvironment", stream: true });
  calls.begin({ method: "GetResource", stream: false })(undefined);
  calls.begin({ method: "GetResource", stream: false })(Code.NotFound);
  endStream(Code.Canceled);
  calls.streamBytes("message", 500);
  calls.streamBytes("sent", 50);
  metrics.requested("page", "2xx");
  metrics.unusableSession();
  const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("web_"));
  expect(lines).toEqual([
    'web_requests_total{route="page",outcome="2xx"} 1',
    "web_unusable_session_cookies_total 1",
    'web_audit_records_total{outcome="written"} 0',
    'web_audit_records_total{outcome="dropped"} 0',
    'web_calls_total{method="GetResource",code="ok"} 1',
    'web_calls_total{method="GetResource",code="not_found"} 1',
    'web_calls_total{method="WatchEnvironment",code="canceled"} 1',
    'web_streams_open{method="WatchEnvironment"} 1',
    'web_stream_bytes_total{stage="message"} 500',
    'web_stream_bytes_total{stage="sent"} 50',
  ]);
});

test("W16: metrics and reasons are for this machine only, unless the configuration says otherwise", () => {
  expect(webConfigSchema.shape.observability.parse({}).listen.address).toMatch(/^127\.0\.0\.1:\d+$/);
});
