// needs: prometheus
import { lintMetrics } from "@binnacle/testing";
import { expect, test } from "vitest";

import { observeViews } from "./view-metrics.ts";
import { createWebMetrics } from "./web-metrics.ts";

test("every metric of web keeps Prometheus' own rules", async () => {
  const { registry } = createWebMetrics();
  observeViews(registry, () => ({ views: 1, scopes: 1, viewers: 1, sources: 1, unread: 0, watches: [] }));
  expect(lintMetrics(await registry.metrics())).toEqual([]);
});
