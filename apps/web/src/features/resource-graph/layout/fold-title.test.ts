import { HealthStatus } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { shortTitleOfFold, titleOfFold, type FoldedCard } from "./fold-title.ts";

const { DEGRADED, HEALTHY } = HealthStatus;

function fold(reason: NonNullable<FoldedCard["fold"]>, kind: string, count: number, more: Partial<FoldedCard> = {}): FoldedCard {
  const members = Array.from({ length: count }, (_, index) => `${index}`);
  return { fold: reason, kind, members, owner: "", status: HEALTHY, namespace: "shop", ...more };
}

test.each([
  ["6 pods of ReplicaSet web-7d9", "6 pods", fold("replicas", "Pod", 6, { owner: "ReplicaSet web-7d9" })],
  ["6 ConfigMaps of Deployment web", "6 ConfigMaps", fold("children", "ConfigMap", 6, { owner: "Deployment web" })],
  ["6 pods", "6 pods", fold("leaves", "Pod", 6)],
  ["2 old ReplicaSets", "2 old ReplicaSets", fold("old-revisions", "ReplicaSet", 2)],
  ["9 completed Jobs", "9 completed Jobs", fold("finished-jobs", "Job", 9)],
  ["3 finished Jobs", "3 finished Jobs", fold("finished-jobs", "Job", 3, { status: DEGRADED })],
  ["7 generated Secrets", "7 generated Secrets", fold("generated-secrets", "Secret", 7)],
  ["9 NetworkPolicies", "9 NetworkPolicies", fold("leaves", "NetworkPolicy", 9)],
  ["6 Ingresses", "6 Ingresses", fold("leaves", "Ingress", 6)],
  ["6 Endpoints", "6 Endpoints", fold("leaves", "Endpoints", 6)],
  ["9 healthy workloads of shop", "9 healthy", fold("healthy-branches", "Deployment", 9)],
])("%s", (title, short, card) => {
  expect([titleOfFold(card), shortTitleOfFold(card)]).toEqual([title, short]);
});
