import { GetResourceResponseSchema } from "@binnacle/proto/dashboard";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";

import { DETAILED_KINDS, detailsOf } from "./details-of.ts";
import { toDetailMessages } from "../detail-parts/to-detail-messages.ts";

/** Field names that details read, so that random objects get deep into them. */
const NAMES =
  "name namespace kind apiVersion labels annotations ownerReferences deletionTimestamp finalizers spec template selector matchLabels matchExpressions key operator values containers initContainers ports containerPort resources requests limits livenessProbe httpGet exec command env valueFrom secretKeyRef envFrom volumeMounts volumes configMap containerStatuses state waiting terminated exitCode schedule jobTemplate active rules http paths backend service tls hosts listeners matches path backendRefs hard used metrics type resource target currentMetrics current ingress egress from podSelector ipBlock subjects verbs apiGroups endpoints conditions targetRef taints tolerations capacity allocatable".split(
    " ",
  );
const TEXTS = [
  "In",
  "Ingress",
  "Container",
  "Resource",
  "ServiceAccount",
  "100m",
  "* * * * *",
  "constructor",
  "__proto__",
  "<b>x</b>",
  "",
  "2026-01-31T12:00:00Z",
];

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    fc.oneof(fc.constantFrom(...TEXTS), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined)),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("json"), { maxKeys: 8 }),
  ),
}));

const OWNER = { apiVersion: "apps/v1", kind: "Widget", name: "owner", uid: "u" };

test("details of objects of any shape can be sent, and the object is not changed", () => {
  const fields = fc.record({ spec: json, status: json, data: json, rules: json, subjects: json, endpoints: json, labels: json });
  fc.assert(
    fc.property(fc.constantFrom(...DETAILED_KINDS), fields, fc.array(json, { maxLength: 2 }), (named, { labels, ...rest }, related) => {
      const [group = "", kind = ""] = named.split("/");
      const metadata = { name: "it", namespace: "shop", labels, annotations: labels, ownerReferences: [OWNER] };
      const object = { apiVersion: group === "" ? "v1" : `${group}/v1`, kind, metadata, ...rest } as never;
      const before = JSON.stringify(object);
      const details = detailsOf(object, object, { isSecret: false, nowMs: 0, related: related as never });
      // A rule that throws tells nothing at all; here it would be a defect.
      expect(details.facts[0]?.items[0]?.ref?.name).toBe("owner");
      toBinary(GetResourceResponseSchema, create(GetResourceResponseSchema, { ...toDetailMessages(details) }));
      expect(JSON.stringify(object)).toBe(before);
    }),
    { numRuns: 400 },
  );
});

test("details of an object of any size are bounded, and count what is left out", () => {
  const key = "k".repeat(100_000);
  const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`${index}${key.slice(0, 300)}`, "v"]));
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "it" }, data } as never;
  const sent = toDetailMessages(detailsOf(map, map, { isSecret: false, nowMs: 0 }));
  expect(sent.sections[0]?.rows).toHaveLength(100);
  expect(sent.sections[0]?.more).toBe(4_900);
  // One name of any length, and so many more as an API server would store with it.
  const env = Array.from({ length: 900 }, (_, index) => {
    const text = index === 0 ? key : key.slice(0, 1_000);
    return { name: "v", valueFrom: { secretKeyRef: { name: `${text}${index}`, key: text } } };
  });
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "it" }, spec: { containers: [{ name: key, image: key, env }] } } as never;
  const messages = toDetailMessages(detailsOf(pod, pod, { isSecret: false, nowMs: 0 }));
  const bytes = toBinary(GetResourceResponseSchema, create(GetResourceResponseSchema, { ...messages })).length;
  expect(bytes).toBeLessThan(100_000);
  expect(messages.sections[0]?.parts?.[0]?.rows.some(({ more }) => more === 860)).toBe(true);
});

test("a password in a command of a probe is not shown", () => {
  const livenessProbe = { exec: { command: ["check", "--password=hunter2canary"] } };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "it" }, spec: { containers: [{ name: "app", livenessProbe }] } } as never;
  expect(JSON.stringify(toDetailMessages(detailsOf(pod, pod, { isSecret: false, nowMs: 0 })).sections)).not.toContain("hunter2canary");
});
