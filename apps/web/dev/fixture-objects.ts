import type { KubeObject } from "@binnacle/kube";

const MINUTE_MS = 60_000;
const before = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

const CONTAINER = {
  name: "api",
  image: "shop/api:3.14.0",
  ports: [
    { containerPort: 8080, name: "http" },
    { containerPort: 9090, name: "metrics" },
  ],
  resources: { requests: { cpu: "250m", memory: "256Mi" }, limits: { memory: "512Mi" } },
  livenessProbe: { httpGet: { path: "/live", port: "http" }, periodSeconds: 10, failureThreshold: 3 },
  readinessProbe: { httpGet: { path: "/ready", port: "http" }, periodSeconds: 5, initialDelaySeconds: 10 },
  env: [
    { name: "MODE", value: "production" },
    { name: "DB_PASSWORD", valueFrom: { secretKeyRef: { name: "db-credentials", key: "password" } } },
  ],
  envFrom: [{ configMapRef: { name: "checkout-flags" } }],
  volumeMounts: [
    { name: "flags", mountPath: "/etc/checkout", readOnly: true },
    { name: "cache", mountPath: "/var/cache/checkout" },
  ],
};
const SIDECAR = { name: "envoy", image: "envoyproxy/envoy:v1.36.2", restartPolicy: "Always", ports: [{ containerPort: 15001 }] };
const TEMPLATE = {
  serviceAccountName: "checkout",
  initContainers: [{ name: "migrate", image: "shop/api:3.14.0" }, SIDECAR],
  containers: [CONTAINER],
  volumes: [
    { name: "flags", configMap: { name: "checkout-flags" } },
    { name: "cache", emptyDir: {} },
  ],
};
const METADATA = {
  annotations: {
    "deployment.kubernetes.io/revision": "42",
    "example.com/note": "The team of the till looks after it. ".repeat(12),
    "example.com/ticket": "SHOP-1",
    "prometheus.io/scrape": "true",
    "prometheus.io/port": "9090",
    "kubernetes.io/change-cause": "release 3.14.0",
  },
};

/** Fields of an object of a kind that the made-up world has; of others its metadata is all there is. */
function fieldsOf(kind: string, name: string): Readonly<Record<string, unknown>> {
  const selector = { matchLabels: { app: name } };
  const kinds: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
    Pod: () => ({
      spec: {
        ...TEMPLATE,
        nodeName: "node-3",
        priorityClassName: "shop-high",
        priority: 1_000,
        restartPolicy: "Always",
        tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 }],
      },
      status: {
        podIP: "10.4.1.17",
        hostIP: "192.0.2.13",
        qosClass: "Burstable",
        initContainerStatuses: [
          { name: "migrate", state: { terminated: { exitCode: 0, reason: "Completed", finishedAt: before(42) } } },
          { name: "envoy", ready: true, restartCount: 0, state: { running: { startedAt: before(41) } } },
        ],
        containerStatuses: [
          {
            name: "api",
            ready: false,
            restartCount: 7,
            state: { waiting: { reason: "CrashLoopBackOff" } },
            lastState: { terminated: { exitCode: 137, reason: "OOMKilled", finishedAt: before(2) } },
          },
        ],
      },
    }),
    Node: () => ({
      spec: {
        unschedulable: true,
        taints: [
          { key: "node.kubernetes.io/unreachable", effect: "NoExecute", timeAdded: before(17) },
          { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule", timeAdded: before(40) },
          { key: "dedicated", value: "shop", effect: "NoSchedule" },
        ],
      },
      status: {
        addresses: [{ type: "InternalIP", address: "192.0.2.13" }],
        nodeInfo: { kubeletVersion: "v1.36.1", containerRuntimeVersion: "containerd://2.1.4", osImage: "Linux", architecture: "amd64" },
        capacity: { cpu: "8", memory: "32Gi", pods: "110", "ephemeral-storage": "100Gi" },
        allocatable: { cpu: "7910m", memory: "30Gi", pods: "110", "ephemeral-storage": "90Gi" },
      },
    }),
    Deployment: () => ({
      spec: { replicas: 5, selector, template: { spec: TEMPLATE }, strategy: { rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } } },
      status: { updatedReplicas: 0, availableReplicas: 5 },
    }),
    Service: () => ({
      spec: {
        clusterIP: "10.1.7.9",
        selector: { app: name },
        ports: [
          { port: 80, name: "http", targetPort: "http" },
          { port: 9090, name: "metrics" },
        ],
      },
    }),
    CronJob: () => ({
      spec: {
        schedule: "*/15 * * * *",
        timeZone: "Europe/Berlin",
        concurrencyPolicy: "Forbid",
        jobTemplate: { spec: { template: { spec: TEMPLATE } } },
      },
      status: { lastScheduleTime: before(9), lastSuccessfulTime: before(24) },
    }),
    Ingress: () => ({
      spec: {
        ingressClassName: "nginx",
        tls: [{ hosts: ["shop.example.com"], secretName: "shop-tls" }],
        rules: [
          {
            host: "shop.example.com",
            http: {
              paths: [
                { path: "/", pathType: "Prefix", backend: { service: { name: "checkout", port: { number: 80 } } } },
                { path: "/status", pathType: "Exact", backend: { service: { name: "status", port: { name: "http" } } } },
              ],
            },
          },
        ],
      },
    }),
    ConfigMap: () => ({ data: { "flags.yaml": "x".repeat(3_000), mode: "fast" } }),
    Secret: () => ({ type: "Opaque", data: { username: "c2hvcA==", password: "bm90IHRlbGxpbmc=" } }),
    HorizontalPodAutoscaler: () => ({
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "checkout" },
        minReplicas: 2,
        maxReplicas: 9,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { averageUtilization: 80 } } },
          { type: "Resource", resource: { name: "memory", target: { averageUtilization: 70 } } },
        ],
      },
      status: {
        currentReplicas: 5,
        desiredReplicas: 5,
        currentMetrics: [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 52 } } }],
      },
    }),
    ResourceQuota: () => ({
      spec: { hard: { pods: "10", "requests.cpu": "4", "requests.memory": "8Gi", "count/secrets": "50" } },
      status: {
        hard: { pods: "10", "requests.cpu": "4", "requests.memory": "8Gi", "count/secrets": "50" },
        used: { pods: "10", "requests.cpu": "3700m", "requests.memory": "2560Mi", "count/secrets": "6" },
      },
    }),
    NetworkPolicy: () => ({
      spec: {
        podSelector: selector,
        policyTypes: ["Ingress", "Egress"],
        ingress: [
          {
            from: [{ podSelector: { matchLabels: { app: "edge" } } }, { namespaceSelector: { matchLabels: { team: "shop" } } }],
            ports: [{ port: 8080 }],
          },
        ],
        egress: [],
      },
    }),
  };
  return kinds[kind]?.() ?? {};
}

/** An object as a cluster would send it. */
export function fixtureObject(ref: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}): KubeObject {
  const { group, version, kind, namespace, name } = ref;
  const apiVersion = [group, version || "v1"].filter((part) => part !== "").join("/");
  const labels = { app: name, "app.kubernetes.io/part-of": "shop", "app.kubernetes.io/managed-by": "kustomize" };
  return { apiVersion, kind, metadata: { ...METADATA, name, namespace, labels }, ...fieldsOf(kind, name) };
}

/** The endpoints behind any Service. */
export const FIXTURE_SLICE: KubeObject = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: "checkout-x", namespace: "shop-prod" },
  endpoints: [
    { addresses: ["10.4.1.17"], conditions: { ready: true }, targetRef: { kind: "Pod", name: "checkout-7d-a" } },
    { addresses: ["10.4.2.9"], conditions: { ready: false }, targetRef: { kind: "Pod", name: "checkout-7d-b" } },
  ],
};
