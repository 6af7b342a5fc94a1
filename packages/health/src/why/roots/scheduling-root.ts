import { fieldsAt, listAt, textAt, textOf, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { conditionsOf, falseCondition } from "../../condition.ts";
import { besideCondition } from "../episodes.ts";
import { eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { blaming, keyOfService } from "../root-key.ts";
import type { Row } from "../rows.ts";
import { explanationOf } from "../explanation.ts";
import { warningOf, type World } from "../world.ts";
import { namedRoot } from "./reference-root.ts";
import { claimNames, boundVolumes, unboundClaims } from "./pod-claims.ts";
import { requestsOf } from "./requests.ts";
import { arithmeticOf, type Arithmetic } from "./scheduler-arithmetic.ts";

/** So many gates, and so many labels, are named. */
const MAX_NAMED = 10;

const FAILED_SCHEDULING = new Set(["FailedScheduling"]);

/** Why no node takes a pod; `null` when it has a node, or the scheduler has not looked yet. */
export function schedulingRoot(pod: Subject, world: World): Root | null {
  if (textAt(pod.input.spec, "nodeName") !== "") return null;
  const condition = falseCondition(conditionsOf(pod.input.status), "PodScheduled");
  const event = warningOf(pod.ref, FAILED_SCHEDULING, world);
  if (condition?.reason === "SchedulingGated") {
    const gates = listAt(pod.input.spec, "schedulingGates").slice(0, MAX_NAMED);
    const names = gates.map((gate) => textAt(gate, "name")).filter((name) => name !== "");
    const facts = { pod: pod.ref.name, gates: names.length === 0 ? undefined : names, said: names.length === 0 ? condition.message : "" };
    return ownRoot(explanationOf("scheduling", "gated", facts), [condition.changedAt]);
  }
  const message = condition?.message || event?.message || "";
  if (condition?.reason !== "Unschedulable" && condition?.reason !== "SchedulerError" && event === undefined) return null;

  const named = namedRoot(message, pod, world);
  if (named !== null) return named;
  const arithmetic = arithmeticOf(message);
  const { row, sum } = arithmetic;
  const claims = row === "unbound-claim" ? unboundClaims(pod, world) : [];
  const [claim] = claims;
  const below = claim === undefined ? null : world.follow(claim, world);
  if (below !== null) return below;

  const labels = nobodysLabels(arithmetic, pod.input.spec);
  const topology = spreadLabels(pod.input.spec);
  const explanation = explanationOf("scheduling", rowOf(arithmetic, { labels, topology }), {
    pod: pod.ref.name,
    labels,
    topology,
    count: topology.length,
    volumes: row === "volume-affinity" ? boundVolumes(pod, world) : undefined,
    requests: requestsOf(pod.input.spec),
    arithmetic: sum,
    claims: claimWords(pod),
  });
  const at = condition?.changedAt ?? "";
  const root = event === undefined ? ownRoot(explanation, [at]) : eventRoot(besideCondition(event, at), explanation, pod);
  return blaming(root, row === "no-nodes" ? keyOfService("scheduler", row) : undefined);
}

interface NodeLabels {
  readonly labels: readonly string[] | undefined;
  readonly topology: readonly string[];
}

function rowOf({ row, lacksLabels }: Arithmetic, { labels, topology }: NodeLabels): Row<"scheduling"> {
  if (labels !== undefined) return lacksLabels === "every" ? "labels" : "open-labels";
  return row === "topology-label" && topology.length === 0 ? "affinity" : row;
}

/** Node labels by which the pod must be spread. */
function spreadLabels(spec: Fields): string[] {
  const constraints = listAt(spec, "topologySpreadConstraints").filter((each) => textAt(each, "whenUnsatisfiable") !== "ScheduleAnyway");
  const keys = constraints.map((each) => textAt(each, "topologyKey")).filter((key) => key !== "");
  return [...new Set(keys)].sort().slice(0, MAX_NAMED);
}

/** The labels that a pod selects nodes by, when no node matches them, or none that it could use: for them, or for nodeAffinity. */
function nobodysLabels({ lacksLabels }: Arithmetic, spec: Fields): string[] | undefined {
  const selector = Object.entries(fieldsAt(spec, "nodeSelector")).slice(0, MAX_NAMED);
  const labels = selector.map(([label, value]) => `${label}=${textOf(value)}`).sort();
  return lacksLabels !== undefined && labels.length > 0 ? labels : undefined;
}

function claimWords(pod: Subject): Words {
  const names = claimNames(pod);
  return names.length === 0 ? words("scheduling/its-claim") : words("scheduling/claim", { names });
}
