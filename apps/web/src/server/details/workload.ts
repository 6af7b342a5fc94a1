import { fieldsAt, fieldsOf, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { templateSection } from "../detail-parts/container.ts";
import type { Details, DetailInput, Item, Row } from "../detail-parts/details.ts";
import { link, plain, row, saying, scalarText, selectorText } from "../detail-parts/rows.ts";

const REVISION = "deployment.kubernetes.io/revision";

/** Strategy, revision, how far it has come, and what its pods are given. */
export function deploymentDetails(input: DetailInput): Partial<Details> {
  const { metadata, spec, status } = input;
  const strategy = fieldsAt(spec, "strategy");
  const rolling = fieldsAt(strategy, "rollingUpdate");
  return workload(input, [
    ...row("detail/revision", plain(fieldsAt(metadata, "annotations")[REVISION])),
    ...row("detail/strategy", strategyItem(textAt(strategy, "type") || "RollingUpdate", rolling)),
    ...progress(status, numberAt(spec, "replicas") ?? 1, { updated: "updatedReplicas", available: "availableReplicas" }),
    ...row("detail/paused", spec["paused"] === true ? saying("detail/yes", {}, "busy") : undefined),
    ...row("detail/deadline", secondsItem(numberAt(spec, "progressDeadlineSeconds"))),
  ]);
}

/** Its pods keep their names and come one after the other. */
export function statefulSetDetails(input: DetailInput): Partial<Details> {
  const { spec, status, namespace } = input;
  const strategy = fieldsAt(spec, "updateStrategy");
  const claims = listAt(spec, "volumeClaimTemplates").map((claim) => {
    const { spec: wanted, metadata } = fieldsOf(claim);
    const size = scalarText(fieldsAt(fieldsAt(wanted, "resources"), "requests")["storage"]);
    return saying("detail/claim-template", { name: textAt(metadata, "name"), size });
  });
  return workload(input, [
    ...row("detail/revision", plain(status["updateRevision"])),
    ...row("detail/strategy", strategyItem(textAt(strategy, "type") || "RollingUpdate", fieldsAt(strategy, "rollingUpdate"))),
    ...progress(status, numberAt(spec, "replicas") ?? 1, { updated: "updatedReplicas", available: "availableReplicas" }),
    ...row("detail/pod-order", plain(textAt(spec, "podManagementPolicy"))),
    ...row("detail/service", link({ kind: "Service", name: spec["serviceName"], namespace })),
    ...row("detail/claims", ...claims),
  ]);
}

/** One pod on each of its nodes. */
export function daemonSetDetails(input: DetailInput): Partial<Details> {
  const { spec, status } = input;
  const strategy = fieldsAt(spec, "updateStrategy");
  const misplaced = numberAt(status, "numberMisscheduled") ?? 0;
  return workload(input, [
    ...row("detail/strategy", strategyItem(textAt(strategy, "type") || "RollingUpdate", fieldsAt(strategy, "rollingUpdate"))),
    ...progress(status, numberAt(status, "desiredNumberScheduled") ?? 0, {
      updated: "updatedNumberScheduled",
      available: "numberAvailable",
    }),
    ...row("detail/misplaced", misplaced > 0 ? plain(misplaced, "busy") : undefined),
  ]);
}

/** The pods of one revision. */
export function replicaSetDetails(input: DetailInput): Partial<Details> {
  const { metadata, spec, status } = input;
  return workload(input, [
    ...row("detail/revision", plain(fieldsAt(metadata, "annotations")[REVISION])),
    ...progress(status, numberAt(spec, "replicas") ?? 1, { available: "availableReplicas" }),
  ]);
}

function workload(input: DetailInput, rows: readonly Row[]): Partial<Details> {
  const { spec, namespace } = input;
  const pod = fieldsAt(fieldsAt(spec, "template"), "spec");
  const account = link({ kind: "ServiceAccount", name: pod["serviceAccountName"], namespace });
  const facts = [
    ...rows,
    ...row("detail/selector", plain(selectorText(fieldsAt(spec, "selector")))),
    ...row("detail/service-account", account),
    ...row("detail/min-ready", secondsItem(numberAt(spec, "minReadySeconds") || undefined)),
  ];
  return { facts, sections: templateSection({ spec, namespace }) };
}

function progress(status: Fields, wanted: number, fields: { readonly updated?: string; readonly available: string }): Row[] {
  const count = (name: string): Item => {
    const there = numberAt(status, name) ?? 0;
    return saying("detail/of", { count: there, total: wanted }, there < wanted ? "busy" : undefined);
  };
  return [
    ...row("detail/updated", fields.updated === undefined ? undefined : count(fields.updated)),
    ...row("detail/available", count(fields.available)),
  ];
}

function strategyItem(type: string, rolling: Fields): Item {
  const [surge, unavailable] = [scalarText(rolling["maxSurge"]), scalarText(rolling["maxUnavailable"])];
  const partition = numberAt(rolling, "partition") || undefined;
  return { words: words("detail/strategy-of", { type, surge, unavailable, partition }) };
}

function secondsItem(seconds: number | undefined): Item | undefined {
  return seconds === undefined ? undefined : saying("detail/seconds", { seconds });
}
