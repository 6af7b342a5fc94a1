import type { Subject } from "./root.ts";
import { certificateNotices } from "../certificate/certificate-notices.ts";
import { claimNotices } from "./notices/claim-notices.ts";
import { leftBehindNotices } from "./notices/left-behind-notices.ts";
import { podNotices } from "./notices/pod-notices.ts";
import { daemonSetNotices, statefulSetNotices } from "./notices/rollout-notices.ts";
import { quotaNotices } from "./notices/quota-notices.ts";
import { budgetNotices, maximumNotices } from "./notices/scaling-notices.ts";
import { ingressNotices, sliceNotices } from "./notices/traffic-notices.ts";
import { explainBackends, explainEndpoints } from "./roots/backend-root.ts";
import { explainMissing } from "./roots/reference-root.ts";
import type { Explanation } from "./explanation.ts";
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
