import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { fieldsAt, fieldsOf, listAt, listOf, numberAt, textAt, type Fields, type KubeObject } from "@binnacle/kube";

import { health } from "./health.ts";
import type { HealthContext } from "./health-result.ts";
import { refOf } from "./health-ref.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url);

/** The 13 of docs/design/health.md "Defects of Argo CD's rules not to copy"; planted faults name them the same way. */
const LISTED = [
  "row 1",
  "row 2",
  "row 5",
  "row 7",
  "row 13, init containers",
  "row 13, InvalidImageName",
  "row 14",
  "row 15",
  "Deployment ReplicaFailure",
  "absent replicas",
  "PVC WaitForFirstConsumer",
  "Ingress without published addresses",
  "HPA without grace",
];

interface Defect {
  readonly id: string;
  readonly defect: string;
  /** What Argo CD answers in all of the cases. */
  readonly argo: string;
  /** `cases-ours.json#name`, or the file of a case of kstatus. */
  readonly cases: readonly string[];
}

interface Case {
  readonly resource: KubeObject;
  readonly context: HealthContext;
  readonly expectedStatus: string | null;
}

function read(file: string): string {
  return readFileSync(new URL(file, FIXTURES), "utf8");
}

/** A case by its name in argo-defects.json. */
function caseOf(name: string): Case {
  const now = { now: "2026-01-01T12:00:00Z" };
  const [file = "", inline] = name.split("#");
  const table = inline === undefined ? "cases-kstatus.json" : file;
  const content: unknown = JSON.parse(read(`health-cases/${table}`));
  const entries = inline === undefined ? listOf(content) : listAt(content, "cases");
  const entry = fieldsOf(entries.find((each) => textAt(each, "file") === file || textAt(each, "name") === inline));
  const resource: unknown = inline === undefined ? parse(read(`health-cases/${file}`)) : entry["resource"];
  // The files have these shapes; a wrong one fails below.
  return { resource, context: { ...now, ...fieldsAt(entry, "context") }, expectedStatus: entry["expectedStatus"] } as Case;
}

// The file is ours and has this shape; a wrong one fails below.
const { defects } = JSON.parse(read("argo-defects.json")) as { defects: Defect[] };
const rows = defects.flatMap(({ id, defect, argo, cases }) => cases.map((name) => ({ id, defect, argo, name })));

describe("defects of Argo CD that are not copied", () => {
  test("all 13 have a case", () => expect(defects.map(({ id }) => id)).toEqual(LISTED));

  test.each(rows)("$id: $defect ($name)", ({ argo, name }) => {
    const { resource, context, expectedStatus } = caseOf(name);
    expect(health(resource, context)?.status).toBe(expectedStatus);
    expect(expectedStatus).not.toBe(argo);
    expect(argoHealth(resource)).toBe(argo);
  });

  test("the results of Argo CD's rules here are those that its own tests expect", () => {
    // The file has this shape; a wrong one fails below.
    const cases = JSON.parse(read("health-cases/cases.json")) as { file: string; expectedStatus: string; scored?: boolean }[];
    const known = cases.filter(({ scored, file }) => scored !== false && argoHealth(parse(read(`health-cases/${file}`))) !== undefined);
    expect(known.length).toBeGreaterThan(35);
    for (const { file, expectedStatus } of known)
      expect([file, argoHealth(parse(read(`health-cases/${file}`)))]).toEqual([file, expectedStatus]);
  });
});

/** Argo CD's built-in rules of the kinds above, defects and all, restated; `undefined` for others. */
function argoHealth(object: Fields): string | undefined {
  if (textAt(fieldsAt(object, "metadata"), "deletionTimestamp") !== "") return "Progressing";
  const [spec, status] = [fieldsAt(object, "spec"), fieldsAt(object, "status")];
  switch (refOf(object).kind) {
    case "Job":
      return argoJob(status);
    case "Pod":
      return argoPod(object, spec, status);
    case "Deployment":
      return argoDeployment(object, spec, status);
    case "StatefulSet":
      return argoStatefulSet(object, spec, status);
    case "PersistentVolumeClaim":
      return { Lost: "Degraded", Pending: "Progressing", Bound: "Healthy" }[textAt(status, "phase")] ?? "Unknown";
    case "Ingress":
      return listAt(fieldsAt(status, "loadBalancer"), "ingress").length > 0 ? "Healthy" : "Progressing";
    case "HorizontalPodAutoscaler":
      return argoAutoscaler(object, status);
    default:
      return undefined;
  }
}

function argoJob(status: Fields): string {
  const types = listAt(status, "conditions").map((each) => textAt(each, "type"));
  if (types.includes("Failed")) return "Degraded";
  if (listAt(status, "conditions").some((each) => textAt(each, "type") === "Suspended" && textAt(each, "status") === "True"))
    return "Suspended";
  return types.includes("Complete") || types.includes("Suspended") ? "Healthy" : "Progressing";
}

function argoPod(object: Fields, spec: Fields, status: Fields): string {
  const annotations = fieldsAt(fieldsAt(object, "metadata"), "annotations");
  const ignores =
    annotations["argocd.argoproj.io/ignore-restart-policy"] === "true" && annotations["argocd.argoproj.io/hook"] === undefined;
  const policy = textAt(spec, "restartPolicy");
  const always = policy === "Always" || ignores;
  const containers = listAt(status, "containerStatuses");
  const reasons = containers.map((each) => textAt(fieldsAt(fieldsAt(each, "state"), "waiting"), "reason"));
  if (always && reasons.some((reason) => /^Err|Error$|BackOff$/.test(reason))) return "Degraded";
  const phase = textAt(status, "phase");
  if (phase === "Pending") return "Progressing";
  if (phase === "Succeeded") return "Healthy";
  if (phase === "Failed") return "Degraded";
  if (phase !== "Running" || policy === "") return "Unknown";
  if (!always) return "Progressing";
  if (listAt(status, "conditions").some((each) => textAt(each, "type") === "Ready" && textAt(each, "status") === "True")) return "Healthy";
  return containers.some((each) => fieldsAt(each, "lastState")["terminated"] !== undefined) ? "Degraded" : "Progressing";
}

function argoDeployment(object: Fields, spec: Fields, status: Fields): string {
  if (spec["paused"] === true) return "Suspended";
  if (isOld(object, status)) return "Progressing";
  if (listAt(status, "conditions").some((each) => textAt(each, "reason") === "ProgressDeadlineExceeded")) return "Degraded";
  const [wanted, updated] = [numberAt(spec, "replicas"), numberAt(status, "updatedReplicas") ?? 0];
  if (wanted !== undefined && updated < wanted) return "Progressing";
  if ((numberAt(status, "replicas") ?? 0) > updated) return "Progressing";
  return (numberAt(status, "availableReplicas") ?? 0) < updated ? "Progressing" : "Healthy";
}

function argoStatefulSet(object: Fields, spec: Fields, status: Fields): string {
  if ((numberAt(status, "observedGeneration") ?? 0) === 0 || isOld(object, status)) return "Progressing";
  const wanted = numberAt(spec, "replicas");
  if (wanted !== undefined && (numberAt(status, "readyReplicas") ?? 0) < wanted) return "Progressing";
  const strategy = fieldsAt(spec, "updateStrategy");
  if (textAt(strategy, "type") === "RollingUpdate" && strategy["rollingUpdate"] !== undefined) {
    const target = (wanted ?? 0) - (numberAt(fieldsAt(strategy, "rollingUpdate"), "partition") ?? 0);
    return (numberAt(status, "updatedReplicas") ?? 0) < target ? "Progressing" : "Healthy";
  }
  if (textAt(strategy, "type") === "OnDelete") return "Healthy";
  return textAt(status, "updateRevision") === textAt(status, "currentRevision") ? "Healthy" : "Progressing";
}

function argoAutoscaler(object: Fields, status: Fields): string {
  const annotation = textAt(fieldsAt(fieldsAt(object, "metadata"), "annotations"), "autoscaling.alpha.kubernetes.io/conditions");
  const older: unknown = annotation === "" ? [] : JSON.parse(annotation);
  const conditions = [...listAt(status, "conditions"), ...listOf(older)];
  if (conditions.some((each) => /^Failed(?!UpdateStatus)|^InvalidSelector$/.test(textAt(each, "reason")))) return "Degraded";
  const good = conditions.some(
    (each) => /^(?:AbleToScale|ScalingLimited)$/.test(textAt(each, "type")) && textAt(each, "status") === "True",
  );
  return good ? "Healthy" : "Progressing";
}

function isOld(object: Fields, status: Fields): boolean {
  return (numberAt(status, "observedGeneration") ?? 0) < (numberAt(fieldsAt(object, "metadata"), "generation") ?? 0);
}
