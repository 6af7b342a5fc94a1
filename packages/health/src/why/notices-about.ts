import { fieldsAt, listAt } from "@binnacle/kube";

import { ingressHealth } from "../rules/ingress.ts";
import type { Subject } from "./root.ts";
import { certificateNotices } from "../certificate/certificate-notices.ts";
import { claimNotices, quotaNotices, budgetNotices, maximumNotices } from "./notices/capacity-notices.ts";
import { leftBehindNotices, podNotices, daemonSetNotices, statefulSetNotices } from "./notices/workload-notices.ts";
import { explainBackends, explainEndpoints } from "./roots/network-root.ts";
import { explainMissing } from "./roots/reference-root.ts";
import { type Explanation, explanationOf } from "./explanation.ts";
import type { World } from "./world.ts";

/** Kinds of which there is something to notice that is not about what they refer to. */
const NOTICES: ReadonlyMap<string, (subject: Subject, world: World) => Explanation[]> = new Map(
  Object.entries({
    "/Service": (subject: Subject, world: World) => noticeOf(explainEndpoints(subject.input.object, world, "anything")),
    "/Pod": podNotices,
    "apps/Deployment": leftBehindNotices,
    "apps/ReplicaSet": leftBehindNotices,
    "apps/StatefulSet": statefulSetNotices,
    "apps/DaemonSet": daemonSetNotices,
    "/PersistentVolumeClaim": claimNotices,
    "/ResourceQuota": quotaNotices,
    "networking.k8s.io/Ingress": ingressNotices,
    "extensions/Ingress": ingressNotices,
    "discovery.k8s.io/EndpointSlice": sliceNotices,
    "policy/PodDisruptionBudget": budgetNotices,
    "autoscaling/HorizontalPodAutoscaler": maximumNotices,
  }),
);

/** Everything to be noticed about an object, gravest first. */
export function noticesAbout(subject: Subject, world: World): Explanation[] {
  const { group, kind } = subject.input;
  const explanations = [...explainBackends(subject.input, world), ...missingNotices(subject, world)];
  explanations.push(...(NOTICES.get(`${group}/${kind}`)?.(subject, world) ?? []));
  explanations.push(...certificateNotices(subject));
  return explanations;
}

/** What is missing and is not a backend, of which there are words already. */
function missingNotices(subject: Subject, world: World): Explanation[] {
  const hasBackends = explainBackends(subject.input, world).length > 0;
  return world.missing
    .filter(({ kind }) => kind !== "Service" || !hasBackends)
    .map((ref) => explainMissing(ref, `${subject.ref.kind} ${subject.ref.name}`));
}

function noticeOf(explanation: Explanation | null): Explanation[] {
  return explanation === null ? [] : [explanation];
}

/** Endpoints of one slice that are counted; Kubernetes allows a thousand. */
const MAX_ENDPOINTS = 1_000;

/** An Ingress whose controller publishes no addresses, or for which it is not visible whether it does. */
function ingressNotices({ input, ref, reason }: Subject): Explanation[] {
  if (reason === "NoAddressPublished") return [explanationOf("network", "no-address-published", { name: ref.name })];
  if (reason !== "" || ingressHealth(input) !== null) return [];
  return [explanationOf("network", "no-address-seen", { name: ref.name })];
}

/** An EndpointSlice with endpoints that are not ready; those that are on their way out do not count. */
function sliceNotices({ input, ref }: Subject): Explanation[] {
  const endpoints = listAt(input.object, "endpoints")
    .slice(0, MAX_ENDPOINTS)
    .map((endpoint) => fieldsAt(endpoint, "conditions"))
    .filter((conditions) => conditions["terminating"] !== true);
  // Absent means ready.
  const ready = endpoints.filter((conditions) => conditions["ready"] !== false).length;
  if (ready === endpoints.length) return [];
  return [explanationOf("network", "slice-not-ready", { name: ref.name, ready, total: endpoints.length })];
}
