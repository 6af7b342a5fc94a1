import { numberAt } from "@binnacle/kube";

import { conditionsOf, trueCondition } from "../condition.ts";
import { containersOf } from "../container-state.ts";
import { terminationWords } from "../container-words.ts";
import type { Subject } from "./root.ts";
import { sayBackends, sayEndpoints } from "./roots/backend-root.ts";
import { containerFacts } from "./roots/container-facts.ts";
import { sayMissing } from "./roots/reference-root.ts";
import { say, type Said } from "./say.ts";
import type { World } from "./world.ts";

/** From this many restarts on, a container that is ready again is still worth a word. */
const MANY_RESTARTS = 5;

/** Everything to be noticed about an object, gravest first. */
export function noticesAbout(subject: Subject, stale: boolean, world: World): Said[] {
  const { group, kind } = subject.input;
  const said = [...sayBackends(subject.input, world), ...missingNotices(subject, world)];
  if (group === "" && kind === "Service") said.push(...noticeOf(sayEndpoints(subject.input.object, world, "anything")));
  if (group === "" && kind === "Pod") said.push(...restartNotices(subject));
  if (kind === "Ingress" && subject.reason === "NoAddressPublished") said.push(say("network", "no-address-published", factsOf(subject)));
  if (kind === "PersistentVolumeClaim" && subject.reason === "WaitForFirstConsumer") {
    said.push(say("storage", "waits-for-consumer", factsOf(subject)));
  }
  if (kind === "PodDisruptionBudget" && group === "policy") said.push(...budgetNotices(subject));
  if (kind === "HorizontalPodAutoscaler" && group === "autoscaling") said.push(...maximumNotices(subject));
  if (stale) said.push(say("resource", "stale", factsOf(subject)));
  return said;
}

/** What is missing and is not a backend, of which there are words already. */
function missingNotices(subject: Subject, world: World): Said[] {
  const backends = new Set(sayBackends(subject.input, world).map(({ message }) => message));
  return world.missing
    .filter(({ kind }) => kind !== "Service" || backends.size === 0)
    .map((ref) => sayMissing(ref, `${subject.ref.kind} ${subject.ref.name}`));
}

function restartNotices(pod: Subject): Said[] {
  if (pod.status !== "Healthy") return [];
  return containersOf(pod.input.status).flatMap((container) => {
    if (container.restarts < MANY_RESTARTS || container.last === undefined) return [];
    const facts = { ...containerFacts(container, pod), count: container.restarts, said: terminationWords(container.last) };
    return [say("resource", "restarts", facts)];
  });
}

function budgetNotices(subject: Subject): Said[] {
  const { status } = subject.input;
  const blocks = numberAt(status, "disruptionsAllowed") === 0 && (numberAt(status, "expectedPods") ?? 0) > 0;
  return blocks && subject.status === "Healthy" ? [say("autoscaling", "no-disruption", factsOf(subject))] : [];
}

function maximumNotices(subject: Subject): Said[] {
  const limited = trueCondition(conditionsOf(subject.input.status), "ScalingLimited");
  if (limited?.reason !== "TooManyReplicas") return [];
  return [say("autoscaling", "at-maximum", { ...factsOf(subject), max: numberAt(subject.input.spec, "maxReplicas") })];
}

function noticeOf(said: Said | null): Said[] {
  return said === null ? [] : [said];
}

function factsOf({ ref, reason, message }: Subject) {
  return { kind: ref.kind, name: ref.name, namespace: ref.namespace, reason, said: message };
}
