import { createLogger } from "@binnacle/telemetry";
import { expect, test } from "vitest";

import { kasConfigSchema } from "../config/schema.ts";
import { createKasMetrics } from "./metrics.ts";
import { openObservabilityListener } from "./observability-listener.ts";

test("metrics and probes are where the configuration puts them", async () => {
  const config = kasConfigSchema.shape.observability.parse({
    listen: { address: "127.0.0.1:0" },
    prometheus: { url_path: "/m" },
    liveness_probe: { url_path: "/l" },
    readiness_probe: { url_path: "/r" },
  });
  const { registry } = createKasMetrics({ version: "1.2.3", gitRef: "abc" });
  const listener = await openObservabilityListener({
    config,
    registry,
    ready: () => ["Redis is not connected"],
    log: createLogger("test", "silent"),
  });
  try {
    const get = async (path: string) => {
      const response = await fetch(`http://${listener.address}${path}`);
      return `${response.status} ${await response.text()}`;
    };
    expect(await get("/m")).toMatch(/^200 [^]*kas_build_info/);
    expect(await get("/l")).toMatch(/^200/);
    expect(await get("/r")).toBe("500 Redis is not connected\n");
    expect(await get("/metrics")).toMatch(/^404/);
  } finally {
    await listener.close();
  }
});
