import { expect, test } from "vitest";

import { madeObject, detailLines } from "./testing/detail-lines.ts";

const SPEC = {
  nodeName: "node-1",
  serviceAccountName: "till",
  priorityClassName: "high",
  priority: 1000,
  restartPolicy: "Always",
  tolerations: [
    { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
    { key: "pool", value: "gpu", effect: "NoSchedule" },
    { operator: "Exists" },
  ],
  volumes: [
    { name: "conf", configMap: { name: "till-conf" } },
    { name: "pw", secret: { secretName: "till-pw" } },
    { name: "data", persistentVolumeClaim: { claimName: "till-data" } },
    { name: "tmp", emptyDir: {} },
  ],
  initContainers: [
    { name: "migrate", image: "till:2" },
    { name: "proxy", image: "proxy:1", restartPolicy: "Always" },
  ],
  containers: [
    {
      name: "app",
      image: "till:2",
      ports: [
        { containerPort: 8080, name: "http" },
        { containerPort: 53, protocol: "UDP" },
      ],
      resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "128Mi" } },
      livenessProbe: { httpGet: { path: "/live", port: "http" }, periodSeconds: 5, initialDelaySeconds: 30 },
      readinessProbe: { tcpSocket: { port: 8080 } },
      startupProbe: { exec: { command: ["cat", "/ready"] }, failureThreshold: 1 },
      env: [
        { name: "MODE", value: "canary-value" },
        { name: "PW", valueFrom: { secretKeyRef: { name: "till-pw", key: "pw" } } },
        { name: "PW2", valueFrom: { secretKeyRef: { name: "till-pw", key: "pw2" } } },
      ],
      envFrom: [{ configMapRef: { name: "till-env" } }],
      volumeMounts: [
        { name: "conf", mountPath: "/etc/till", readOnly: true },
        { name: "data", mountPath: "/data", subPath: "a" },
        { name: "tmp", mountPath: "/tmp" },
      ],
    },
  ],
  ephemeralContainers: [{ name: "debug", image: "busybox" }],
};

const STATUS = {
  podIP: "10.0.0.7",
  podIPs: [{ ip: "10.0.0.7" }, { ip: "fd00::7" }],
  hostIP: "192.0.2.1",
  qosClass: "Burstable",
  containerStatuses: [
    {
      name: "app",
      ready: false,
      restartCount: 7,
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { exitCode: 137, reason: "OOMKilled", finishedAt: "2026-01-31T11:58:00Z" } },
    },
  ],
  initContainerStatuses: [
    { name: "migrate", state: { terminated: { exitCode: 0, reason: "Completed", finishedAt: "2026-01-31T11:00:00Z" } } },
    { name: "proxy", ready: true, restartCount: 0, state: { running: { startedAt: "2026-01-31T11:00:01Z" } } },
  ],
};

const ownerReferences = [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "till-1", uid: "u", controller: true }];
const pod = madeObject("v1 Pod", { metadata: { ownerReferences }, spec: SPEC, status: STATUS });

test("US7: a pod tells where it runs, as whom, and who owns it", () => {
  const lines = detailLines(pod);
  expect(lines.slice(0, lines.indexOf("# Containers"))).toEqual([
    "Owner: →apps/ReplicaSet/shop/till-1",
    "Node: →/Node//node-1 (192.0.2.1)",
    "Address: 10.0.0.7 | fd00::7",
    "Quality of service: Burstable",
    "Service account: →/ServiceAccount/shop/till",
    "Priority: →scheduling.k8s.io/PriorityClass//high (1000)",
    "Restart policy: Always",
    "Tolerations: node.kubernetes.io/not-ready:NoExecute for 300 s | pool=gpu:NoSchedule | every taint",
  ]);
});

test("US7: each container tells how it is, how it ended before and what it was given, never the value of a variable", () => {
  const lines = detailLines(pod);
  expect(lines.slice(lines.indexOf("# Containers"), lines.indexOf("# Init containers"))).toEqual([
    "# Containers",
    "## app: Waiting: CrashLoopBackOff !bad",
    "Last end: Exit code 137 (OOMKilled) 2026-01-31T11:58:00Z !bad",
    "Ready: no",
    "Restarts: 7",
    "Image: till:2",
    "Ports: 8080/TCP (http) | 53/UDP",
    "Resources: cpu: 100m, no limit | memory: 64Mi, at most 128Mi",
    "Liveness: GET /live on port http, every 5 s after 30 s, 1 s for an answer, fails after 3 misses",
    "Readiness: TCP port 8080, every 10 s, 1 s for an answer, fails after 3 misses",
    "Startup: command cat /ready, every 10 s, 1 s for an answer, fails after 1 miss",
    "Variables: 1 set in the spec | →/ConfigMap/shop/till-env all keys | →/Secret/shop/till-pw keys pw, pw2",
    "Mounts: →/ConfigMap/shop/till-conf at /etc/till, read-only | →/PersistentVolumeClaim/shop/till-data at /data, only a | emptyDir tmp at /tmp",
  ]);
  expect(lines.join("\n")).not.toContain("canary-value");
});

test("US7: init, sidecar and ephemeral containers are shown; finished ones are folded", () => {
  const lines = detailLines(pod);
  expect(lines.filter((line) => line.startsWith("#"))).toEqual([
    "# Containers",
    "## app: Waiting: CrashLoopBackOff !bad",
    "# Init containers",
    "## migrate: Completed 2026-01-31T11:00:00Z !good …",
    "## proxy (sidecar): Running 2026-01-31T11:00:01Z !good",
    "# Ephemeral containers",
    "## debug: Not started",
  ]);
});

test.each([
  [{ running: { startedAt: "2026-01-31T11:00:00Z" } }, "Running, not ready 2026-01-31T11:00:00Z !busy"],
  [{ waiting: { reason: "ContainerCreating" } }, "Waiting: ContainerCreating !busy"],
  [{ waiting: {} }, "Waiting !busy"],
  [{ terminated: { exitCode: 1, reason: "Error" } }, "Exit code 1 !bad"],
  [{ terminated: { exitCode: 143, signal: 15 } }, "Exit code 143, signal 15 !bad"],
  [{ terminated: { reason: "ContainerStatusUnknown" } }, "ContainerStatusUnknown !bad"],
  [{ terminated: {} }, "no reason given !bad"],
  ["odd", "Not started"],
])("a container whose state is %j is shown as %s", (state, expected) => {
  const odd = madeObject("v1 Pod", { spec: { containers: [{ name: "app" }] }, status: { containerStatuses: [{ name: "app", state }] } });
  expect(detailLines(odd)).toContain(`## app: ${expected}`);
});
