// needs: prometheus
import { lintMetrics } from "@binnacle/testing";
import { expect, test } from "vitest";

import { createMetrics } from "./metrics.ts";

test("every metric of agentk keeps Prometheus' own rules", () => {
  const metrics = createMetrics({ idleTunnels: () => 1, busyTunnels: () => 0, connected: () => true });
  metrics.observeRequest(200);
  expect(lintMetrics(metrics.registry.metrics())).toEqual([]);
});
