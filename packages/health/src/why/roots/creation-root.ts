import type { Fields } from "@binnacle/kube";

import { conditionsOf, trueCondition } from "../../condition.ts";
import { refOf } from "../../health-ref.ts";
import { eventLink, eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { say, type Said } from "../say.ts";
import type { Row } from "../words/families.ts";
import { warningOf, type World } from "../world.ts";
import { namedRoot } from "./reference-root.ts";

/** A refusal of the API server, and the facts in it. The first that fits wins; named groups become facts. */
const REFUSALS: readonly (readonly [Row<"creation">, RegExp])[] = [
  ["quota", /exceeded quota: (?<quota>[^,]+), requested: (?<requested>.+), used: (?<used>.+), limited: (?<limited>.+)$/],
  ["quota-unspecified", /failed quota: (?<quota>[^:]+): (?<said>must specify .+)$/],
  ["limit-range", /(?<said>\[?(?:maximum|minimum) \S+ usage per \w+ is .+|\S+ max limit to request ratio per \w+ is .+)$/],
  ["pod-security", /violates PodSecurity "(?<policy>[^":]+)[^"]*": (?<said>.+)$/],
  ["policy", /ValidatingAdmissionPolicy '(?<policy>[^']+)'.*? denied request: (?<said>.+)$/],
  ["webhook-denied", /admission webhook "(?<webhook>[^"]+)" denied the request(?: without explanation|: (?<said>.+))$/],
  ["webhook-unavailable", /failed calling webhook "(?<webhook>[^"]+)": (?<said>.+)$/],
  ["invalid", / is invalid: (?<said>.+)$/],
  ["forbidden", / is forbidden: (?<said>.+)$/],
];

const FAILED_CREATE = new Set(["FailedCreate", "FailedCreatePod"]);

/** Pods cannot be created: by the events about the workload or about what makes its pods, else by ReplicaFailure. */
export function creationRoot(subject: Subject, makers: readonly Fields[], world: World): Root | null {
  for (const ref of [...makers.map(refOf), subject.ref]) {
    const event = warningOf(ref, FAILED_CREATE, world);
    if (event === undefined) continue;
    const missing = namedRoot(event.message, subject);
    if (missing === null) return eventRoot(event, sayRefusal(event.message, subject), subject);
    return { ...missing, links: [eventLink(event, event, subject), ...missing.links] };
  }
  const failure = trueCondition(conditionsOf(subject.input.status), "ReplicaFailure");
  if (failure === undefined) return null;
  return namedRoot(failure.message, subject) ?? ownRoot(sayRefusal(failure.message, subject));
}

function sayRefusal(message: string, { ref }: Subject): Said {
  const shared = { reason: "FailedCreate", kind: ref.kind, name: ref.name, namespace: ref.namespace, said: message };
  for (const [row, sign] of REFUSALS) {
    const match = sign.exec(message);
    if (match !== null) return say("creation", row, { ...shared, ...match.groups });
  }
  return say("creation", "other", shared);
}
