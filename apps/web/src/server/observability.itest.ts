import { createLogger } from "@binnacle/telemetry";
import { expect, test } from "vitest";

import { webConfigSchema } from "./config.ts";
import { openObservability } from "./observability.ts";
import { createWebMetrics } from "./web-metrics.ts";

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

test("W16: metrics and reasons are for this machine only, unless the configuration says otherwise", () => {
  expect(webConfigSchema.shape.observability.parse({}).listen.address).toMatch(/^127\.0\.0\.1:\d+$/);
});
