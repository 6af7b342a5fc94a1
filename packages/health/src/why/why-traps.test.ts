import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { ruleInputOf } from "../rule-input.ts";
import { explain } from "./explain.ts";
import { earliestCredible } from "./first-bad-at.ts";
import { backendsOf } from "./roots/network-root.ts";
import { endpointsOf } from "../endpoints.ts";

function caseOf(name: string, change: (text: string) => string = (text) => text) {
  const text = readFileSync(new URL(`../../fixtures/why-cases/${name}.json`, import.meta.url), "utf8");
  // The files are ours and have this shape; why-cases.test.ts fails on another.
  return JSON.parse(change(text)) as { resource: object; context: { events?: object[] } };
}

describe("when trouble began", () => {
  const metadata = { creationTimestamp: "2026-01-01T10:00:00Z" };
  const now = Date.parse("2026-01-01T12:00:00Z");

  test("is not before the resource was there, nor in the future", () => {
    const times = ["2026-01-01T09:00:00Z", "2026-01-01T13:00:00Z", "2026-01-01T11:00:00Z", "2026-01-01T10:30:00Z"];
    expect(earliestCredible(times, metadata, now)).toBe("2026-01-01T10:30:00Z");
  });

  test("is not known when no time can be true", () => {
    expect(earliestCredible(["2026-01-01T09:00:00Z", "soon"], metadata, now)).toBeUndefined();
  });
});

describe("why a container ended", () => {
  test("memory that ran out is no failed probe, though the probe failed as well", () => {
    const { resource, context } = caseOf("crash-oom-without-limit");
    const { events } = caseOf("probe-liveness").context;
    expect(events).not.toEqual([]);
    expect(explain(resource, { ...context, events })?.id).toBe("crash/oom-without-limit");
  });

  test("a signal is an exit code of 128 and more", () => {
    const { resource, context } = caseOf("crash-command-not-found", (text) => text.replace('"exitCode": 127', '"signal": 11'));
    expect(explain(resource, context)?.id).toBe("crash/segfault");
  });
});

describe("what traffic is sent to", () => {
  test("a backend of weight 0 is switched off", () => {
    const backendRefs = [{ name: "new", weight: 0 }, { name: "old", weight: 1 }, { name: "plain" }];
    const route = {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "HTTPRoute",
      metadata: { namespace: "env" },
      spec: { rules: [{ backendRefs }] },
    };
    expect(backendsOf(ruleInputOf(route, { now: undefined, related: undefined })).map(({ name }) => name)).toEqual(["old", "plain"]);
  });

  test("the slices of a namesake in another namespace are not those of a Service", () => {
    const slice = (namespace: string) => ({
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "web-1", namespace, labels: { "kubernetes.io/service-name": "web" } },
      endpoints: [{ targetRef: { kind: "Pod", name: "p", uid: `${namespace}-p` } }],
    });
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "env" } };
    expect(endpointsOf(service, [slice("other")])).toEqual({ ready: 0, total: 0, known: false });
    expect(endpointsOf(service, [slice("other"), slice("env")])).toEqual({ ready: 1, total: 1, known: true });
  });
});
