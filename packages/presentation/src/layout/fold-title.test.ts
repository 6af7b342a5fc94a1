import { HealthStatus } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { shortTitleOfFold, titleOfFold, type FoldedCard } from "./fold-title.ts";

const { DEGRADED, HEALTHY } = HealthStatus;

function fold(reason: NonNullable<FoldedCard["fold"]>, what: string, more: Partial<FoldedCard> = {}): FoldedCard {
  const [count = "", kind = ""] = what.split(" ");
  const members = Array.from({ length: Number(count) }, (_, index) => `${index}`);
  return { fold: reason, kind, members, owner: "", status: HEALTHY, namespace: "shop", ...more };
}

test.each([
  ["6 pods of ReplicaSet web-7d9", "6 pods", fold("replicas", "6 Pod", { owner: "ReplicaSet web-7d9" })],
  ["6 ConfigMaps of Deployment web", "6 ConfigMaps", fold("children", "6 ConfigMap", { owner: "Deployment web" })],
  ["6 pods", "6 pods", fold("leaves", "6 Pod")],
  ["2 old ReplicaSets", "2 old ReplicaSets", fold("old-revisions", "2 ReplicaSet")],
  ["9 completed Jobs", "9 completed Jobs", fold("finished-jobs", "9 Job")],
  ["3 finished Jobs", "3 finished Jobs", fold("finished-jobs", "3 Job", { status: DEGRADED })],
  ["7 generated Secrets", "7 generated Secrets", fold("generated-secrets", "7 Secret")],
  ["9 NetworkPolicies", "9 NetworkPolicies", fold("leaves", "9 NetworkPolicy")],
  ["6 Ingresses", "6 Ingresses", fold("leaves", "6 Ingress")],
  ["6 Endpoints", "6 Endpoints", fold("leaves", "6 Endpoints")],
  ["9 healthy workloads of shop", "9 healthy", fold("healthy-branches", "9 Deployment")],
])("%s", (title, short, card) => {
  expect([titleOfFold(card), shortTitleOfFold(card)]).toEqual([title, short]);
});
