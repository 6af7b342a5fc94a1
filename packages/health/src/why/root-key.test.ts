import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { whyOf, whyMissing } from "./why-of.ts";
import type { WhyContext } from "./why.ts";

const FOLDER = new URL("../../fixtures/why-cases/", import.meta.url);

interface WhyCase {
  readonly resource: KubeObject;
  readonly context: WhyContext;
}

/** @param change turns the text of the file into that of another world */
function keyOf(name: string, change: (text: string) => string = (text) => text): string | undefined {
  // The files are ours and have this shape; why-cases.test.ts fails on another.
  const { resource, context } = JSON.parse(change(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"))) as WhyCase;
  return whyOf(resource, context)?.rootKey;
}

/** The same trouble of another workload. */
function ofAnother(text: string): string {
  return text
    .replaceAll(/\bweb\b/g, "api")
    .replaceAll('"db"', '"db2"')
    .replaceAll('"migrate"', '"seed"')
    .replaceAll('"agent"', '"agent2"');
}

const SHARED: readonly (readonly [string, string])[] = [
  ["image-not-found", "image//registry.example/shop/api:1.5#image/not-found"],
  ["image-unauthorized", "image/env/registry.example/shop/api:1.5#image/unauthorized"],
  ["rollout-deadline-with-pod", "image//registry.example/shop/api:1.5#image/not-found"],
  ["reference-secret-without-events", "object//Secret/env/tls#missing"],
  ["reference-key-of-volume", "object//ConfigMap/env/settings#entry/app.yaml"],
  ["reference-service-account", "object//ServiceAccount/env/robot#missing"],
  ["reference-storage-class", "object/storage.k8s.io/StorageClass//fast#missing"],
  ["creation-quota", "object//ResourceQuota/env/compute#creation/quota"],
  ["creation-webhook-unavailable", "webhook/mutate.mesh.example"],
  ["scheduling-no-nodes", "scheduler/no-nodes"],
  ["node-not-ready-below-pod", "object//Node//node-1#node/not-ready"],
  ["node-lost", "object//Node//node-1#node/not-ready"],
  ["start-sandbox", "object//Node//node-1#start/sandbox"],
  ["lifecycle-evicted", "object//Node//node-1#lifecycle/evicted/memory"],
  ["autoscaling-no-metrics", "metrics-api/resource"],
];

const OWN: readonly (readonly [string, string])[] = [
  ["crash-exit-1", "object/apps/ReplicaSet/env/web-new#crash/error/app"],
  ["crash-oom", "object/apps/ReplicaSet/env/web-new#crash/oom/app"],
  ["probe-readiness", "object/apps/ReplicaSet/env/web-new#probe/readiness/app"],
  ["scheduling-resources", "object/apps/ReplicaSet/env/web-new#scheduling/resources"],
  ["creation-pod-security", "object/apps/Deployment/env/web#creation/pod-security"],
  ["creation-webhook-denied", "object/apps/Deployment/env/web#creation/webhook-denied"],
  ["lifecycle-preempted", "object/apps/ReplicaSet/env/web-new#lifecycle/preempted"],
  ["autoscaling-no-requests", "object/autoscaling/HorizontalPodAutoscaler/env/web#autoscaling/no-requests"],
  ["autoscaling-waiting", "object/autoscaling/HorizontalPodAutoscaler/env/web#autoscaling/waiting"],
  ["network-load-balancer", "object//Service/env/web#network/load-balancer"],
];

describe("US3: the key of the root cause", () => {
  test.each(SHARED)("US3: %s is the same for another workload: %s", (name, key) => {
    const tls = (text: string): string => text.replaceAll("web-tls", "tls");
    expect([keyOf(name, tls), keyOf(name, (text) => ofAnother(tls(text)))]).toEqual([key, key]);
  });

  test.each(OWN)("US3: %s is the workload's own fault: %s", (name, key) => {
    expect(keyOf(name)).toBe(key);
    expect(keyOf(name, ofAnother)).toBe(key.replace("web", "api"));
  });

  test("US3: traffic that ends in failing pods leads to what makes the pods, as the way from their workload does", () => {
    expect(keyOf("network-no-ready-endpoints-with-pod")).toBe("object/apps/ReplicaSet/env/web-new#crash/error/app");
    expect(keyOf("resource-leads-on")).toBe("object/apps/ReplicaSet/env/web-new#crash/error/app");
  });

  test("US3: another image is another fault, and so is what another namespace may not pull", () => {
    const other = (text: string): string => text.replaceAll("shop/api:1.5", "shop/api:1.6");
    expect(keyOf("image-not-found", other)).not.toBe(keyOf("image-not-found"));
    const elsewhere = (text: string): string => text.replaceAll('"namespace": "env"', '"namespace": "prod"');
    expect(keyOf("image-unauthorized", elsewhere)).not.toBe(keyOf("image-unauthorized"));
    expect(keyOf("image-not-found", elsewhere)).toBe(keyOf("image-not-found"));
  });

  test("US3: an API of custom metrics that lacks one metric is at fault for that one alone", () => {
    const lacks = (metric: string) => (text: string) =>
      text.replace("no metrics returned from resource metrics API", `unable to fetch metrics from custom metrics API: no metric ${metric}`);
    expect(keyOf("autoscaling-no-metrics", lacks("rps"))).toBe("metrics-api/custom: no metric rps");
    expect(keyOf("autoscaling-no-metrics", lacks("lag"))).not.toBe(keyOf("autoscaling-no-metrics", lacks("rps")));
    const unready = (text: string) => text.replace("no metrics returned from resource metrics API", "pods might be unready");
    expect(keyOf("autoscaling-no-metrics", unready)).toBe("object/autoscaling/HorizontalPodAutoscaler/env/web#autoscaling/no-metrics");
  });

  test("US3: what is missing has one key, whatever object refers to it", () => {
    const ghost = { group: "", version: "v1", kind: "Secret", namespace: "env", name: "web-tls" };
    expect(whyMissing(ghost, []).rootKey).toBe(keyOf("reference-secret"));
    expect(keyOf("reference-secret-without-events")).toBe(keyOf("reference-secret"));
  });

  test("US3: credentials in a message of the cluster do not get into a key", () => {
    const withCredential = (text: string) =>
      text.replace(/no metrics returned from resource metrics API/, "from external metrics API: password=hunter22");
    expect(keyOf("autoscaling-no-metrics", withCredential)).not.toContain("hunter22");
  });

  test("every case has a key", () => {
    const keys = readdirSync(FOLDER).map((file) => keyOf(file.replace(".json", "")) ?? "object/none");
    expect(keys.filter((key) => !/^(?:object|image|webhook|metrics-api|scheduler|rivals)\/./.test(key))).toEqual([]);
  });
});
