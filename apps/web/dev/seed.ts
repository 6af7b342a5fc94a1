import { HealthStatus, Presence } from "@binnacle/proto/dashboard";
import { seedAnswers } from "./seed-why.ts";
import { World } from "./world.ts";

const { HEALTHY, DEGRADED, PROGRESSING, SUSPENDED } = HealthStatus;

/** The world of the mock-ups: something of every state. */
export function seedMixed(nowMs: number): World {
  const world = new World("shop-prod", nowMs);
  const flags = world.node("ConfigMap", "checkout-flags", { presence: Presence.MISSING });
  const bad = { status: DEGRADED, reason: "CreateContainerConfigError", message: 'configmap "checkout-flags" not found' };
  const checkout = world.node("Deployment", "checkout", { fact: "2/5 ready" });
  const newRs = world.node("ReplicaSet", "checkout-7c9f8d", { owner: checkout, fact: "0/3 ready", ready: 0, wanted: 3, ...bad });
  for (const suffix of ["x2lq4", "9hvdk", "m4t7z"])
    world.node("Pod", `checkout-7c9f8d-${suffix}`, {
      owner: newRs,
      fact: "0/1 ready",
      ready: 0,
      wanted: 1,
      ...bad,
      images: ["registry.local/shop/api:3.14.0"],
      nodeName: "node-3",
    });
  const oldRs = world.node("ReplicaSet", "checkout-5b6d4", { owner: checkout, fact: "2/2 ready", status: HEALTHY, ready: 2, wanted: 2 });
  for (const suffix of ["77abc", "kk2mv"])
    world.node("Pod", `checkout-5b6d4-${suffix}`, {
      owner: oldRs,
      fact: "1/1 ready",
      status: HEALTHY,
      ready: 1,
      wanted: 1,
      nodeName: "node-3",
    });
  world.node("Deployment", "checkout", {
    ...bad,
    message: "3 of 5 replicas cannot start: container api needs a ConfigMap that does not exist.",
    fact: "2/5 ready",
    ready: 2,
    wanted: 5,
    images: ["registry.local/shop/api:3.14.0"],
    causes: [checkout, newRs, "pod:checkout-7c9f8d-x2lq4", flags],
    worstBelow: DEGRADED,
  });
  world.edge(checkout, flags, {
    kind: "tmpl-mount",
    edgeClass: "mount",
    paths: ["spec.template.spec.containers[0].envFrom[1].configMapRef"],
    missing: true,
  });
  const config = world.node("ConfigMap", "checkout-config", { fact: "6 keys" });
  world.edge(checkout, config, { kind: "tmpl-mount", edgeClass: "mount", paths: ["spec.template.spec.volumes[0].configMap"] });
  traffic(world, "checkout", { replicaSet: newRs, fact: "ClusterIP :80 · 2/5", host: "shop.example.com", hpa: "5 of 3–12 · CPU 44 %" });

  const catalog = world.node("Deployment", "catalog", {
    status: PROGRESSING,
    reason: "ReplicaSetUpdated",
    message: "46 of 48 pods are updated and ready.",
    fact: "46/48 updated",
    ready: 46,
    wanted: 48,
    images: ["registry.local/shop/catalog:8.2.1"],
    worstBelow: PROGRESSING,
  });
  const catalogRs = world.node("ReplicaSet", "catalog-6d5b7f", {
    owner: catalog,
    status: PROGRESSING,
    fact: "46/48 ready",
    ready: 46,
    wanted: 48,
  });
  for (let index = 0; index < 48; index += 1)
    world.node("Pod", `catalog-6d5b7f-${index.toString(36).padStart(5, "q")}`, {
      owner: catalogRs,
      status: index < 46 ? HEALTHY : PROGRESSING,
      fact: index < 46 ? "1/1 ready" : "0/1 ready",
      ready: index < 46 ? 1 : 0,
      wanted: 1,
    });
  for (let revision = 109; revision < 118; revision += 1)
    world.node("ReplicaSet", `catalog-old${revision}`, {
      owner: catalog,
      status: HEALTHY,
      fact: "0 pods",
      ready: 0,
      wanted: 0,
      superseded: true,
    });
  traffic(world, "catalog", {
    replicaSet: catalogRs,
    fact: "ClusterIP :80 · 46/48",
    host: "api.example.com",
    hpa: "48 of 12–60 · CPU 71 %",
  });

  const store = world.node("StatefulSet", "session-store", {
    status: HEALTHY,
    fact: "3/3 ready",
    ready: 3,
    wanted: 3,
    images: ["redis:7.4"],
  });
  const storePods = [0, 1, 2].map((index) =>
    world.node("Pod", `session-store-${index}`, { owner: store, status: HEALTHY, fact: "1/1 ready", ready: 1, wanted: 1 }),
  );
  for (const [index, pod] of storePods.entries()) {
    const claim = world.node("PersistentVolumeClaim", `data-session-store-${index}`, { status: HEALTHY, fact: "Bound · 20 GiB" });
    world.edge(pod, claim, { kind: "pod-pvc", edgeClass: "mount", paths: ["spec.volumes[0].persistentVolumeClaim.claimName"] });
  }
  const storeService = world.node("Service", "session-store", { status: HEALTHY, fact: "headless :6379 · 3/3" });
  for (const pod of storePods) world.edge(storeService, pod, { kind: "svc-pod", edgeClass: "select", paths: ["spec.selector"] });

  const report = world.node("CronJob", "nightly-report", {
    status: SUSPENDED,
    reason: "Suspended",
    fact: "paused since 14 Nov",
    images: ["report:0.9.1"],
  });
  for (let index = 0; index < 3; index += 1) {
    const job = world.node("Job", `nightly-report-2887${index}`, { owner: report, status: HEALTHY, fact: "Complete", superseded: true });
    world.node("Pod", `nightly-report-2887${index}-abcde`, { owner: job, status: HEALTHY, fact: "Completed" });
  }

  const payments = world.node("Deployment", "payments", {
    status: HEALTHY,
    fact: "4/4 ready",
    ready: 4,
    wanted: 4,
    images: ["registry.local/shop/payments:2.40.3"],
  });
  const paymentsRs = world.node("ReplicaSet", "payments-84c7b", {
    owner: payments,
    status: HEALTHY,
    fact: "4/4 ready",
    ready: 4,
    wanted: 4,
  });
  const pod = { fact: "1/1 ready", ready: 1, wanted: 1, nodeName: "node-9" };
  for (let index = 0; index < 4; index += 1)
    world.node("Pod", `payments-84c7b-${index}zzpq`, { ...pod, owner: paymentsRs, status: HEALTHY });
  const secret = world.node("Secret", "payments-api", { presence: Presence.NOT_VISIBLE });
  world.edge(payments, secret, {
    kind: "tmpl-mount",
    edgeClass: "mount",
    paths: ["spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef"],
  });
  const budget = world.node("PodDisruptionBudget", "payments", { status: HEALTHY, fact: "3 of 4 needed" });
  for (let index = 0; index < 4; index += 1)
    world.edge(budget, `pod:payments-84c7b-${index}zzpq`, { kind: "pdb-pod", edgeClass: "policy", paths: ["spec.selector"] });
  traffic(world, "payments", { replicaSet: paymentsRs, fact: "ClusterIP :8443 · 4/4" });
  world.node("Widget", "blue", { status: HEALTHY, fact: "Ready" });
  world.node("ServiceAccount", "default", {});
  world.node("ConfigMap", "kube-root-ca.crt", { fact: "1 key" });
  seedAnswers(world);
  return world;
}

/** Many small applications, all well but a few: `target` nodes, roughly. */
export function seedLarge(nowMs: number, target: number): World {
  const world = new World("load", nowMs);
  for (let app = 0; world.nodes.size < target; app += 1) {
    const name = `app-${String(app).padStart(4, "0")}`;
    const status = app % 37 === 5 ? DEGRADED : app % 23 === 3 ? PROGRESSING : HEALTHY;
    const reason = status === DEGRADED ? { reason: "CrashLoopBackOff", message: "back-off restarting failed container" } : {};
    const pods = 2 + (app % 9);
    const deployment = world.node("Deployment", name, {
      status,
      ...reason,
      fact: `${pods}/${pods} ready`,
      ready: pods,
      wanted: pods,
      worstBelow: status,
    });
    const rs = world.node("ReplicaSet", `${name}-6d5b7f`, {
      owner: deployment,
      status,
      fact: `${pods}/${pods} ready`,
      ready: pods,
      wanted: pods,
    });
    world.node("ReplicaSet", `${name}-5c4a6e`, { owner: deployment, status: HEALTHY, fact: "0 pods", superseded: true });
    const service = world.node("Service", name, { status: HEALTHY, fact: "ClusterIP :80" });
    const slice = world.node("EndpointSlice", `${name}-x7k2p`, { owner: service, fact: `${pods} endpoints` });
    for (let index = 0; index < pods; index += 1) {
      const pod = world.node("Pod", `${name}-6d5b7f-${index}`, { owner: rs, status, ...reason, fact: "1/1 ready", ready: 1, wanted: 1 });
      world.edge(slice, pod, { kind: "slice-pod", edgeClass: "route", paths: [`endpoints[${index}].targetRef`] });
    }
    const config = world.node("ConfigMap", `${name}-config`, { fact: "3 keys" });
    world.edge(deployment, config, { kind: "tmpl-mount", edgeClass: "mount", paths: ["spec.template.spec.volumes[0].configMap"] });
  }
  return world;
}

function traffic(
  world: World,
  name: string,
  options: { readonly replicaSet: string; readonly fact: string; readonly host?: string; readonly hpa?: string },
): void {
  const { replicaSet } = options;
  const service = world.node("Service", name, { status: HEALTHY, fact: options.fact });
  const slice = world.node("EndpointSlice", `${name}-p4m2c`, { owner: service, fact: "IPv4" });
  for (const [id, node] of world.nodes) {
    if (node.ownerId === world.nodes.get(replicaSet)?.id)
      world.edge(slice, id, { kind: "slice-pod", edgeClass: "route", paths: ["endpoints[].targetRef"] });
  }
  if (options.host !== undefined) {
    const ingress = world.node("Ingress", name === "checkout" ? "shop" : `${name}-public`, {
      status: HEALTHY,
      fact: `${options.host} · TLS`,
      externalUrl: `https://${options.host}`,
    });
    world.edge(ingress, service, { kind: "ing-svc", edgeClass: "route", paths: ["spec.rules[0].http.paths[0].backend.service.name"] });
  }
  if (options.hpa === undefined) return;
  const hpa = world.node("HorizontalPodAutoscaler", name, { status: HEALTHY, fact: options.hpa });
  world.edge(hpa, `deployment:${name}`, { kind: "hpa", edgeClass: "target", paths: ["spec.scaleTargetRef"] });
}
