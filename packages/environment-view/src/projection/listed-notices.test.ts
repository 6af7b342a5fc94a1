import type { KubeObject } from "@binnacle/kube";
import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";

import { inWords, type InWords } from "../stream/in-words.ts";
import { ViewState } from "../stream/view-state.ts";
import { EventIndex } from "../nodes/event-index.ts";
import { GraphProjection } from "./graph-projection.ts";
import { object, owned } from "../testing/made-objects.ts";

const NOW_MS = Date.parse("2026-01-01T01:00:00Z");
const KINDS = ["/Pod", "apps/ReplicaSet", "apps/Deployment", "batch/Job", "/Service", "/Secret", "discovery.k8s.io/EndpointSlice"];

/** The roll-up of a namespace of which everything is known. */
function healthOf(...objects: readonly KubeObject[]): InWords<EnvironmentHealth> {
  const options = { events: new EventIndex(), rules: undefined, isWhole: () => true, customEdges: [], changed: () => {} };
  const projection = new GraphProjection({ ...options, scope: { namespaces: ["app"] }, now: () => NOW_MS });
  projection.setKinds(
    KINDS.map((id) => {
      const [group = "", kind = ""] = id.split("/");
      return {
        group,
        version: "v1",
        kind,
        resource: `${kind.toLowerCase()}s`,
        namespaced: true,
        verbs: [],
        subresources: [],
        shortNames: [],
      };
    }),
  );
  projection.setAccess(
    KINDS.map((id) => {
      const [group = "", kind = ""] = id.split("/");
      return { group, kind, access: "synced" };
    }),
  );
  for (const each of objects) projection.upsert(each);
  const state = new ViewState(projection.health([]), { state: "connected", sinceMs: 0 });
  projection.flush(state);
  return inWords(projection.health([]));
}

/** `name: reason`, what is counted and what is not. */
function listedOf({ issues, uncounted }: InWords<EnvironmentHealth>): unknown {
  const titles = (groups: typeof issues): string[] => groups.map(({ members, reason }) => `${members[0]?.ref?.name}: ${reason}`);
  return [titles(issues), titles(uncounted)];
}

function service(app: string): KubeObject {
  return { ...object("v1", "Service", "web"), spec: { type: "ClusterIP", selector: { app }, ports: [{ port: 80 }] } };
}

function deployment(replicas: number, status: object, more: object = {}): KubeObject {
  const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c" }] } };
  return {
    ...object("apps/v1", "Deployment", "deploy"),
    spec: { replicas, selector: { matchLabels: { app: "web" } }, template, ...more },
    status,
  };
}

function ingress(backend: string, port: number, tls: readonly object[] = []): KubeObject {
  const paths = [{ backend: { service: { name: backend, port: { number: port } } } }];
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
  return { ...object("networking.k8s.io/v1", "Ingress", "shop"), spec: { rules: [{ http: { paths } }], tls }, status };
}

test("UB2: a Service whose selector matches nothing is an issue, though it is Healthy", () => {
  const health = healthOf(service("nothing"));
  expect(listedOf(health)).toEqual([["web: NoEndpoints"], []]);
  expect(health.issues[0]).toMatchObject({ notice: true, next: expect.stringContaining("selector") });
});

test("a Service without pods of a workload that is scaled to nothing is listed beside the issues; of one that fails, by that one alone", () => {
  const scaled = deployment(0, { observedGeneration: 1 });
  expect(listedOf(healthOf(service("web"), scaled))).toEqual([[], ["web: NoEndpoints"]]);
  const conditions = [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "exceeded quota" }];
  const failing = deployment(1, { conditions });
  expect(listedOf(healthOf(service("web"), failing))).toEqual([[expect.stringContaining("deploy: ")], []]);
});

test("UB2: an Ingress that asks a Service for a port it lacks is an issue; one that leads to no Service, or has no Secret, is by what is missing", () => {
  const external: KubeObject = { ...object("v1", "Service", "web"), spec: { type: "ExternalName", ports: [{ port: 80 }] } };
  expect(listedOf(healthOf(external, ingress("web", 8080)))).toEqual([["shop: PortMissing"], []]);
  expect(listedOf(healthOf(ingress("gone", 80)))).toEqual([["gone: NotFound"], []]);
  expect(listedOf(healthOf(external, ingress("web", 80, [{ secretName: "tls" }])))).toEqual([["tls: NotFound"], []]);
});

test("UB2: a pod that should have gone long ago is an issue below a Deployment that is well, until then it is none", () => {
  const well = deployment(1, { replicas: 1, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 });
  const set = owned(well, { ...object("apps/v1", "ReplicaSet", "set"), spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 1 } });
  const leaving = (deletionTimestamp: string): KubeObject => {
    const pod = owned(set, object("v1", "Pod", "leaving"));
    return { ...pod, metadata: { ...pod.metadata, deletionTimestamp }, status: { phase: "Running" } };
  };
  const health = healthOf(well, set, leaving("2026-01-01T00:40:00Z"));
  expect(listedOf(health)).toEqual([["leaving: Terminating"], []]);
  expect(health.counts).toMatchObject({ Healthy: 1, Progressing: 0 });
  expect(listedOf(healthOf(well, set, leaving("2026-01-01T00:59:00Z")))).toEqual([[], []]);
});

test("a budget that allows no disruption and a paused Deployment are listed beside the issues", () => {
  const budget = { ...object("policy/v1", "PodDisruptionBudget", "budget"), spec: { minAvailable: 1 } };
  const status = { disruptionsAllowed: 0, expectedPods: 1, currentHealthy: 1, desiredHealthy: 1 };
  const paused = deployment(1, { replicas: 1, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 }, { paused: true });
  const health = healthOf({ ...budget, status }, paused);
  expect(listedOf(health)).toEqual([[], expect.arrayContaining(["budget: NoDisruptionAllowed", expect.stringContaining("deploy: ")])]);
  expect(health).toMatchObject({ issuesTotal: 0, uncountedTotal: 2 });
});
