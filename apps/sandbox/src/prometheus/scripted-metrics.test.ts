import { expect, test } from "vitest";

import { scriptedMetrics } from "./scripted-metrics.ts";

const pod = (phase: string) => ({
  metadata: { namespace: "shop", name: "web-7d9f-x2x4z", ownerReferences: [{ kind: "ReplicaSet", name: "web-7d9f" }] },
  spec: { containers: [{ name: "web", resources: { requests: { cpu: "250m" }, limits: { memory: "64Mi" } } }] },
  status: { phase, containerStatuses: [{ name: "web", restartCount: 3 }] },
});

test("running pods have the metrics that the queries of an agent read", () => {
  const ingress = { metadata: { namespace: "shop", name: "web" } };
  const text = scriptedMetrics([pod("Running"), pod("Pending")], [ingress], 1_800_000_000_000);
  const of = 'namespace="shop",pod="web-7d9f-x2x4z",container="web"';
  const lines = text.trim().split("\n");
  expect(lines.map((line) => line.replace(/ [^ ]*$/, ""))).toEqual([
    `container_cpu_usage_seconds_total{${of}}`,
    `container_memory_working_set_bytes{${of}}`,
    `kube_pod_container_status_restarts_total{${of}}`,
    `kube_pod_container_resource_requests{${of},resource="cpu"}`,
    `kube_pod_container_resource_limits{${of},resource="memory"}`,
    'istio_requests_total{reporter="destination",destination_workload_namespace="shop",destination_workload="web"}',
    'nginx_ingress_controller_requests{exported_namespace="shop",ingress="web"}',
  ]);
  for (const line of lines) expect(Number(line.split(" ").at(-1))).toBeGreaterThan(0);
  expect(text).toContain("restarts_total{" + of + "} 3\n");
  expect(text).toContain("limits{" + of + ',resource="memory"} 67108864\n');
});
