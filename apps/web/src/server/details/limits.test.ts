import { expect, test } from "vitest";

import { madeObject, detailLines } from "./testing/detail-lines.ts";

test("an autoscaler shows each metric against its target, also an unknown one", () => {
  const resource = (name: string, target: object) => ({ type: "Resource", resource: { name, target } });
  const pods = { type: "Pods", pods: { metric: { name: "requests" }, target: { averageValue: "100" } } };
  const spec = {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    maxReplicas: 9,
    metrics: [resource("cpu", { averageUtilization: 80 }), resource("memory", { averageUtilization: 50 }), pods],
  };
  const currentMetrics = [
    { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 120, averageValue: "1" } } },
    { type: "Pods", pods: { metric: { name: "requests" }, current: { averageValue: "25" } } },
  ];
  const status = { currentReplicas: 3, desiredReplicas: 5, currentMetrics, lastScaleTime: "2026-01-31T11:00:00Z" };
  expect(detailLines(madeObject("autoscaling/v2 HorizontalPodAutoscaler", { spec, status }))).toEqual([
    "Scales: →apps/Deployment/shop/web",
    "Range: 1 to 9",
    "Replicas: 3",
    "Wants: 5 !busy",
    "Last scaled: 2026-01-31T11:00:00Z",
    "# Metrics",
    "cpu: 120%, target 80% 150%",
    "memory: not known, target 50% !bad",
    "requests (Pods): 25, target 100 25%",
  ]);
  const old = madeObject("autoscaling/v1 HorizontalPodAutoscaler", {
    spec: { targetCPUUtilizationPercentage: 50 },
    status: { currentCPUUtilizationPercentage: 25 },
  });
  expect(detailLines(old)).toContain("cpu: 25%, target 50% 50%");
});

test("a budget tells how many pods may go now", () => {
  const status = { currentHealthy: 2, desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 0 };
  const budget = madeObject("policy/v1 PodDisruptionBudget", {
    spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } } },
    status,
  });
  expect(detailLines(budget)).toEqual([
    "Least available: 2",
    "May go now: 0 !busy",
    "Healthy pods: 2 of 3, 2 must be",
    "Selector: app=web",
  ]);
});

test("a quota tells what is used of how much, and what is all used", () => {
  const hard = { pods: "10", "requests.cpu": "2", "limits.memory": "1Gi", services: "0", odd: {} };
  const used = { pods: "10", "requests.cpu": "1900m", "limits.memory": "256Mi" };
  expect(detailLines(madeObject("v1 ResourceQuota", { spec: { hard, scopes: ["NotTerminating"] }, status: { hard, used } }))).toEqual([
    "Counts only: NotTerminating",
    "# Used",
    "pods: 10 of 10 100% !bad",
    "requests.cpu: 1900m of 2 95% !busy",
    "limits.memory: 256Mi of 1Gi 25%",
    "services: 0 of 0",
    "odd: 0 of ",
  ]);
});

test("a LimitRange tells what each kind of thing gets and may get", () => {
  const limits = [{ type: "Container", max: { memory: "1Gi" }, default: { memory: "128Mi", cpu: "1" }, defaultRequest: { cpu: "100m" } }];
  expect(detailLines(madeObject("v1 LimitRange", { spec: { limits } }))).toEqual([
    "# Limits",
    "## Container (each)",
    "memory: at most 1Gi | limit 128Mi when none is set",
    "cpu: request 100m when none is set | limit 1 when none is set",
  ]);
});

test("a node tells what it has room for and what keeps pods away", () => {
  const spec = {
    unschedulable: true,
    taints: [
      { key: "gpu", value: "yes", effect: "NoSchedule" },
      { key: "away", effect: "NoExecute" },
    ],
  };
  const status = {
    addresses: [{ type: "InternalIP", address: "192.0.2.1" }],
    nodeInfo: { kubeletVersion: "v1.34.0", osImage: "Linux", architecture: "arm64" },
    capacity: { cpu: "4", memory: "16Gi" },
    allocatable: { cpu: "3800m" },
  };
  const node = madeObject("v1 Node", {
    metadata: { namespace: undefined, labels: { "node-role.kubernetes.io/worker": "" } },
    spec,
    status,
  });
  expect(detailLines(node)).toEqual([
    "Takes new pods: no: it is cordoned !busy",
    "Roles: worker",
    "Address: 192.0.2.1 (InternalIP)",
    "Taints: gpu=yes:NoSchedule | away:NoExecute",
    "Kubelet: v1.34.0",
    "System: Linux | arm64",
    "# Allocatable of capacity",
    "cpu: 3800m of 4",
    "memory: 0 of 16Gi",
  ]);
});
