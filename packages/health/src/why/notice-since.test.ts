import type { KubeObject } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import type { KnownCertificate } from "../certificate/known-certificate.ts";
import { rollUp } from "../roll-up.ts";
import { noticesOf } from "./why-of.ts";
import type { HealthNotice, WhyContext } from "./why.ts";

const NOW = "2026-01-01T12:00:00Z";
const CREATED = "2026-01-01T11:00:00Z";
const REF = { group: "", version: "v1", kind: "X", namespace: "env", name: "web" };

function made(apiVersion: string, kind: string, rest: object): KubeObject {
  return { apiVersion, kind, metadata: { name: "web", namespace: "env", creationTimestamp: CREATED }, ...rest };
}

function autoscaler(since: string): KubeObject {
  const limited = { type: "ScalingLimited", status: "True", reason: "TooManyReplicas", lastTransitionTime: since };
  return made("autoscaling/v2", "HorizontalPodAutoscaler", { spec: { maxReplicas: 3 }, status: { conditions: [limited] } });
}

function only(object: KubeObject, context: Omit<WhyContext, "now"> = {}): HealthNotice | undefined {
  return noticesOf(object, { now: NOW, ...context })[0];
}

describe("the time of a notice", () => {
  test.each([
    ["is that of its condition", "2026-01-01T11:20:00Z", "2026-01-01T11:20:00Z"],
    ["is now, when the clock that wrote it runs ahead", "2026-01-01T13:00:00Z", NOW],
    ["is unknown, where the time is from before its object", "2026-01-01T10:00:00Z", undefined],
    ["is unknown, where there is no time", "soon", undefined],
  ])("%s", (_what, written, since) => {
    expect(only(autoscaler(written))?.since).toBe(since);
  });

  test("is unknown, where nothing has a time: a Service that never had a pod, or has none any more", () => {
    const service = made("v1", "Service", { spec: { selector: { app: "web" }, ports: [{ port: 80 }] } });
    expect(only(service, { related: [] })).toEqual(expect.objectContaining({ reason: "NoEndpoints" }));
    expect(only(service, { related: [] })).not.toHaveProperty("since");
  });

  test("is the end of a certificate beside others, though what serves with it is younger", () => {
    const ingress = made("networking.k8s.io/v1", "Ingress", { spec: { tls: [{ hosts: ["a"], secretName: "tls" }] } });
    const certificate: KnownCertificate = {
      namespace: "env",
      secret: "tls",
      state: "known",
      names: ["a"],
      notAfter: "2026-03-01T00:00:00Z",
      chainNotAfter: "2025-12-30T00:00:00Z",
    };
    const notice = noticesOf(ingress, { now: NOW, certificates: [certificate] }).find(({ reason }) => reason === "CertificateChainExpired");
    expect(notice?.since).toBe("2025-12-30T00:00:00Z");
  });
});

test("what is an issue by its notice began when its notice did, and the earlier one comes first", () => {
  const noticed = ["2026-01-01T11:40:00Z", "2026-01-01T11:20:00Z"].flatMap((since, index) => {
    const notice = only(autoscaler(since));
    return notice === undefined ? [] : [{ ref: { ...REF, name: `web-${index}` }, health: null, notice }];
  });
  expect(rollUp([], { noticed }).issues.map(({ since }) => since)).toEqual(["2026-01-01T11:20:00Z", "2026-01-01T11:40:00Z"]);
});
