import { HealthStatus, Presence } from "@binnacle/proto/dashboard";
import { World } from "./world.ts";

const { HEALTHY, DEGRADED, PROGRESSING } = HealthStatus;
const FAULTS = ["crash", "evicted", "nosuch-image", "oom", "probe-fails", "too-large", "wrong-node"] as const;

/** 41 resources of a staging environment: two applications with traffic, what runs on every node, and workloads that each fail by themselves. */
export function seedStaging(nowMs: number): World {
  const world = new World("staging", nowMs);
  for (const name of FAULTS) workload(world, name, { pods: 1, status: DEGRADED, reason: "CrashLoopBackOff" });
  const api = workload(world, "api", { pods: 2, status: PROGRESSING, reason: "ReplicaSetUpdated" });
  const web = workload(world, "web", { pods: 2, status: HEALTHY, reason: "" });
  const ingress = world.node("Ingress", "shop", { status: HEALTHY, fact: "shop.example.com" });
  for (const [name, app] of [
    ["api", api],
    ["web", web],
  ] as const) {
    const service = world.node("Service", name, { status: HEALTHY, fact: "ClusterIP :80" });
    for (const pod of app.pods) world.edge(service, pod, { kind: "svc-pod", edgeClass: "select", paths: ["spec.selector"] });
    world.edge(ingress, service, { kind: "ingress-svc", edgeClass: "route", paths: ["spec.rules[0].http.paths[0].backend.service.name"] });
  }
  const config = world.node("ConfigMap", "settings", { fact: "4 keys" });
  world.edge(web.workload, config, { kind: "tmpl-mount", edgeClass: "mount", paths: ["spec.template.spec.volumes[0].configMap"] });
  const gone = world.node("ConfigMap", "flags", { presence: Presence.MISSING });
  world.edge(api.workload, gone, {
    kind: "tmpl-mount",
    edgeClass: "mount",
    paths: ["spec.template.spec.containers[0].envFrom[0].configMapRef"],
    missing: true,
  });
  const collector = world.node("DaemonSet", "log-collector", { status: HEALTHY, fact: "3/3 ready", ready: 3, wanted: 3 });
  for (const node of ["a", "b", "c"]) world.node("Pod", `log-collector-${node}`, { owner: collector, status: HEALTHY, fact: "1/1 ready" });
  const budget = world.node("PodDisruptionBudget", "web", { status: HEALTHY, fact: "2 healthy · 1 may go" });
  for (const pod of web.pods) world.edge(budget, pod, { kind: "pdb-pod", edgeClass: "policy", paths: ["spec.selector"] });
  world.node("ServiceAccount", "default");
  world.node("Secret", "registry");
  return world;
}

function workload(
  world: World,
  name: string,
  { pods, status, reason }: { readonly pods: number; readonly status: HealthStatus; readonly reason: string },
): { readonly workload: string; readonly pods: readonly string[] } {
  const bad = { status, reason, ready: status === HEALTHY ? pods : 0, wanted: pods };
  const deployment = world.node("Deployment", name, { ...bad, fact: `${bad.ready}/${pods} ready` });
  const set = world.node("ReplicaSet", `${name}-5b6d4`, { owner: deployment, ...bad, fact: `${bad.ready}/${pods} ready` });
  const ids = Array.from({ length: pods }, (_, index) =>
    world.node("Pod", `${name}-5b6d4-${"kx"[index] ?? "z"}7abc`, {
      owner: set,
      ...bad,
      wanted: 1,
      fact: status === HEALTHY ? "1/1 ready" : "0/1 ready",
    }),
  );
  return { workload: deployment, pods: ids };
}
