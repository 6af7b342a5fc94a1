// needs: prometheus
import { lintMetrics } from "@binnacle/testing";
import { expect, test } from "vitest";

import { startWholeKas } from "./whole-kas.ts";

test("every metric of kas keeps Prometheus' own rules", async () => {
  const kas = await startWholeKas();
  const text = await kas.metrics.registry.metrics();
  await kas.stop();
  expect(text).toContain("nodejs_active_handles{");
  expect(lintMetrics(text)).toEqual([]);
  expect(lintMetrics(`${text}\n# HELP x_total A gauge.\n# TYPE x_total gauge\nx_total 1\n`)).toEqual([expect.stringContaining("x_total")]);
});
