import type { KubeObject } from "@binnacle/kube";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { nodeFactsOf } from "./node-facts.ts";

function object(apiVersion: string, kind: string, fields: object): KubeObject {
  return { apiVersion, kind, metadata: { name: "x" }, ...fields };
}

describe("nodeFactsOf", () => {
  test("sums the restarts of all containers and names each image once", () => {
    const pod = object("v1", "Pod", {
      spec: { initContainers: [{ image: "a" }], containers: [{ image: "b" }, { image: "a" }] },
      status: { initContainerStatuses: [{ restartCount: 1 }], containerStatuses: [{ restartCount: 4 }, {}] },
    });
    expect(nodeFactsOf(pod)).toMatchObject({ restarts: 5, images: ["a", "b"] });
    const cron = object("batch/v1", "CronJob", {
      spec: { jobTemplate: { spec: { template: { spec: { containers: [{ image: "c" }] } } } } },
    });
    expect(nodeFactsOf(cron).images).toEqual(["c"]);
  });

  test("an Ingress exposes its first host, by https when the host has a certificate", () => {
    const rules = [{ host: "*.example.com" }, { host: "app.example.com", http: { paths: [{ path: "/shop" }] } }];
    expect(nodeFactsOf(object("networking.k8s.io/v1", "Ingress", { spec: { rules } })).externalUrl).toBe("http://app.example.com/shop");
    const tls = [{ hosts: ["app.example.com"] }];
    expect(nodeFactsOf(object("networking.k8s.io/v1", "Ingress", { spec: { rules, tls } })).externalUrl).toBe(
      "https://app.example.com/shop",
    );
    expect(nodeFactsOf(object("networking.k8s.io/v1", "Ingress", { spec: { rules: [{ host: "a b" }] } })).externalUrl).toBe("");
  });

  test("a load balancer exposes its address on the ports of the web", () => {
    const service = (port: number, ingress: object): string =>
      nodeFactsOf(
        object("v1", "Service", { spec: { type: "LoadBalancer", ports: [{ port }] }, status: { loadBalancer: { ingress: [ingress] } } }),
      ).externalUrl;
    expect(service(443, { hostname: "lb.example.com" })).toBe("https://lb.example.com/");
    expect(service(80, { ip: "2001:db8::1" })).toBe("http://[2001:db8::1]/");
    expect(service(5432, { ip: "192.0.2.1" })).toBe("");
  });

  test("an old ReplicaSet and a finished Job of a CronJob are superseded, others are not", () => {
    const owned = (kind: string): object => ({
      metadata: { name: "x", ownerReferences: [{ kind, name: "o", uid: "u", apiVersion: "v1", controller: true }] },
    });
    const old = { spec: { replicas: 0 }, status: { replicas: 0 } };
    const done = { status: { conditions: [{ type: "Complete", status: "True" }] } };
    expect(nodeFactsOf(object("apps/v1", "ReplicaSet", { ...owned("Deployment"), ...old })).superseded).toBe(true);
    expect(nodeFactsOf(object("apps/v1", "ReplicaSet", old)).superseded).toBe(false);
    expect(nodeFactsOf(object("batch/v1", "Job", { ...owned("CronJob"), ...done })).superseded).toBe(true);
    expect(nodeFactsOf(object("batch/v1", "Job", done)).superseded).toBe(false);
  });

  test("a Secret that cert-manager wrote is generated, one of a person is not", () => {
    const annotations = { "cert-manager.io/certificate-name": "web" };
    expect(nodeFactsOf(object("v1", "Secret", { metadata: { name: "tls", annotations } })).generated).toBe(true);
    expect(nodeFactsOf(object("v1", "Secret", { metadata: { name: "password" } })).generated).toBe(false);
  });

  test("never throws, whatever stands in the object", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("Pod", "Ingress", "Service", "Job", "ReplicaSet"),
        fc.jsonValue(),
        fc.jsonValue(),
        (kind, spec, status) => {
          const facts = nodeFactsOf(object(kind === "Ingress" ? "networking.k8s.io/v1" : "v1", kind, { spec, status }));
          expect(facts.restarts).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
