/** How many pods the stores hold. */
export const BENCH_PODS = 10_000;

/** Where they are. */
export const BENCH_NAMESPACE = "bench";

const STARTED = "2026-01-01T00:00:00Z";

/** A pod as a Deployment of a team would make it: two containers with probes and variables, annotations, tolerations. */
export function benchPod(index: number) {
  const app = `app-${Math.floor(index / 10)}`;
  const name = `${app}-7d9c5b8f6d-${index.toString(36).padStart(5, "0")}`;
  const labels = {
    app,
    "app.kubernetes.io/name": app,
    "app.kubernetes.io/instance": `${app}-production`,
    "app.kubernetes.io/part-of": "shop",
    "pod-template-hash": "7d9c5b8f6d",
  };
  const annotations = {
    "prometheus.io/scrape": "true",
    "prometheus.io/port": "9090",
    "checksum/config": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "example.com/change": `release ${index % 20} of ${app}: takes the settings of the region from the common chart`,
  };
  const toleration = (key: string): object => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
  const spec = {
    schedulerName: "none",
    serviceAccountName: "default",
    automountServiceAccountToken: false,
    containers: [container(app, "main"), container(app, "proxy")],
    volumes: [{ name: "config", configMap: { name: `${app}-config` } }],
    tolerations: [toleration("node.kubernetes.io/not-ready"), toleration("node.kubernetes.io/unreachable")],
  };
  const metadata = { name, namespace: BENCH_NAMESPACE, labels, annotations };
  return { apiVersion: "v1", kind: "Pod", metadata, spec };
}

/** What a kubelet reports of such a pod while it runs. */
export function benchPodStatus(): object {
  const types = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"];
  const conditions = types.map((type) => ({ type, status: "True", lastProbeTime: null, lastTransitionTime: STARTED }));
  const state = { running: { startedAt: STARTED } };
  const of = (name: string): object => ({
    name,
    image: `registry.example.com/shop/${name}:1.14.2`,
    imageID: `registry.example.com/shop/${name}@sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae`,
    containerID: "containerd://fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9",
    ready: true,
    started: true,
    restartCount: 0,
    state,
  });
  return {
    phase: "Running",
    startTime: STARTED,
    podIP: "10.244.0.1",
    podIPs: [{ ip: "10.244.0.1" }],
    qosClass: "Burstable",
    conditions,
    containerStatuses: [of("main"), of("proxy")],
  };
}

function container(app: string, name: string): object {
  const probe = { httpGet: { path: "/ready", port: 8080 }, periodSeconds: 5 };
  return {
    name,
    image: `registry.example.com/shop/${name}:1.14.2`,
    envFrom: [{ configMapRef: { name: `${app}-config` } }],
    resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "128Mi" } },
    volumeMounts: [{ name: "config", mountPath: "/etc/app" }],
    ...(name === "main" ? { ports: [{ name: "http", containerPort: 8080 }], readinessProbe: probe, livenessProbe: probe } : {}),
  };
}
