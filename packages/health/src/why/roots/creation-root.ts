import type { Fields } from "@binnacle/kube";

import { conditionsOf, falseCondition, trueCondition, type Condition } from "../../condition.ts";
import { refOf } from "../../health-ref.ts";
import { eventRoot, ownRoot, reportLink, type Root, type Subject } from "../root.ts";
import { besideCondition } from "../episodes.ts";
import type { EventFact } from "../../event-fact.ts";
import { blaming, keyOfObject, keyOfService } from "../root-key.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import type { Row } from "../rows.ts";
import { warningOf, type World } from "../world.ts";
import { namedRoot } from "./reference-root.ts";

/** A refusal of the API server, and the facts in it. The first that fits wins; named groups become facts. */
const REFUSALS: readonly (readonly [Row<"creation">, RegExp])[] = [
  ["quota", /exceeded quota: (?<quota>[^,\s]+), requested: (?<requested>\S+), used: (?<used>\S+), limited: (?<limited>\S+)/],
  ["quota-unspecified", /failed quota: (?<quota>[^:\s]+): (?<said>must specify .+)/s],
  ["limit-range", /(?<said>\[?(?:maximum|minimum) \S+ usage per \w+ is .+|(?<!\S)\S+ max limit to request ratio per \w+ is .+)/s],
  ["pod-security", /violates PodSecurity "(?<policy>[^":]+)(?::[^"]*)?": (?<said>.+)/s],
  ["policy", /ValidatingAdmissionPolicy '(?<policy>[^']+)'(?: with binding '[^']*')? denied request: (?<said>.+)/s],
  ["webhook-denied", /admission webhook "(?<webhook>[^"]+)" denied the request(?: without explanation|: (?<said>.+))/s],
  ["webhook-unavailable", /failed calling webhook "(?<webhook>[^"]+)": (?<said>.+)/s],
  ["invalid", / is invalid: (?<said>.+)/s],
  ["forbidden", / is forbidden: (?<said>.+)/s],
];

const FAILED_CREATE = new Set(["FailedCreate", "FailedCreatePod"]);

/** Pods cannot be created: by the events about the workload or about what makes its pods, else by ReplicaFailure. */
export function creationRoot(subject: Subject, makers: readonly Fields[], world: World): Root | null {
  const failure = failureOf(conditionsOf(subject.input.status));
  for (const ref of [...makers.map(refOf), subject.ref]) {
    const newest = warningOf(ref, FAILED_CREATE, world);
    if (newest === undefined) continue;
    const event = besideCondition(newest, failure?.changedAt ?? "");
    const missing = namedRoot(event.message, subject, world);
    if (missing === null) return refusalRoot(event.message, subject, event);
    return { ...missing, links: [reportLink(event, subject), ...missing.links] };
  }
  if (failure === undefined) return null;
  return namedRoot(failure.message, subject, world) ?? refusalRoot(failure.message, subject);
}

/** The condition that says that pods, or the ReplicaSet that is to make them, cannot be created. */
function failureOf(conditions: readonly Condition[]): Condition | undefined {
  const rollout = falseCondition(conditions, "Progressing");
  const failure = trueCondition(conditions, "ReplicaFailure");
  if (failure !== undefined) return failure.reason === "FailedDelete" ? undefined : failure;
  return rollout?.reason === "ReplicaSetCreateError" ? rollout : undefined;
}

function refusalRoot(message: string, subject: Subject, event?: EventFact): Root {
  const { explanation, key } = readRefusal(message, subject);
  return blaming(event === undefined ? ownRoot(explanation) : eventRoot(event, explanation, subject), key);
}

function readRefusal(message: string, { ref }: Subject): { readonly explanation: Explanation; readonly key: string | undefined } {
  const { kind, name, namespace } = ref;
  const shared = { reason: "FailedCreate", kind, name, namespace, said: message };
  for (const [row, sign] of REFUSALS) {
    const match = sign.exec(message);
    if (match !== null)
      return {
        explanation: explanationOf("creation", row, { ...shared, ...match.groups }),
        key: keyOfRefusal(row, namespace, match.groups),
      };
  }
  return { explanation: explanationOf("creation", "other", shared), key: undefined };
}

/** A quota and an unavailable webhook affect all requests alike; any other rejection is about the requested object. */
function keyOfRefusal(row: Row<"creation">, namespace: string, named: Readonly<Record<string, string>> = {}): string | undefined {
  const { quota = "", webhook = "" } = named;
  if (quota !== "") return keyOfObject({ group: "", kind: "ResourceQuota", namespace, name: quota }, `creation/${row}`);
  return row === "webhook-unavailable" ? keyOfService("webhook", webhook) : undefined;
}
