import type { ApiObject } from "../api-object.ts";
import { listIn, textIn, treeIn } from "../json-tree.ts";
import type { Cluster } from "./cluster.ts";
import { itself, type Controller, type Key } from "./controller-loop.ts";
import { isReady } from "./pod-state.ts";
import { planOf, type PodPlan } from "./pod-plan.ts";
import { ephemeralStatus, podStatusFor, type PodStage } from "./pod-status.ts";

const PODS = "/pods";
const COMPONENT = "kubelet";

/** Simulates the nodes' kubelets: pods start, fail, finish and end without any container. */
export function kubelet(cluster: Cluster): Controller {
  // Times in objects have whole seconds; pods shall not become ready early because of that.
  const starts = new Map<string, number>();
  let address = 0;
  const nextAddress = (): string => {
    address += 1;
    return `10.244.${Math.floor(address / 254) % 256}.${(address % 254) + 1}`;
  };
  return {
    name: COMPONENT,
    watches: {
      [PODS]: (event) => {
        if (event.type === "DELETED") starts.delete(event.object.metadata.uid);
        return itself(event);
      },
    },
    reconcile: (key) => reconcile(cluster, key, { starts, nextAddress }),
  };
}

interface Memory {
  readonly starts: Map<string, number>;
  readonly nextAddress: () => string;
}

function reconcile(cluster: Cluster, { namespace, name }: Key, { starts, nextAddress }: Memory): number | undefined {
  const pod = cluster.get(PODS, namespace, name);
  if (!pod || textIn(pod, "spec", "nodeName") === undefined) return undefined;
  const plan = planOf(pod);
  if (pod.metadata.deletionTimestamp !== undefined) return plan.endsNever ? undefined : end(cluster, pod);
  const phase = textIn(pod, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed") return undefined;
  const start = starts.get(pod.metadata.uid);
  if (start === undefined || hasOtherImages(pod)) starts.set(pod.metadata.uid, cluster.clock.now());
  const ageMs = start === undefined ? 0 : cluster.clock.now() - start;
  const stage = stageOf(pod, plan, ageMs);
  if (!isAt(pod, stage.stage)) enter(cluster, pod, { plan, stage: stage.stage, nextAddress });
  else startEphemeral(cluster, pod, plan);
  return stage.nextMs;
}

function stageOf(pod: ApiObject, plan: PodPlan, ageMs: number): { readonly stage: PodStage; readonly nextMs: number | undefined } {
  if (textIn(pod, "status", "startTime") === undefined || hasOtherImages(pod)) return { stage: "creating", nextMs: plan.readyAfterMs };
  if (plan.outcome === "creating") return { stage: "creating", nextMs: undefined };
  if (ageMs < plan.readyAfterMs) return { stage: "creating", nextMs: plan.readyAfterMs - ageMs };
  if (plan.outcome !== "run" && plan.outcome !== "finish") return { stage: plan.outcome, nextMs: undefined };
  if (plan.outcome === "run") return { stage: "run", nextMs: undefined };
  const endsAt = plan.readyAfterMs + plan.runForMs;
  return ageMs < endsAt ? { stage: "run", nextMs: endsAt - ageMs } : { stage: "finish", nextMs: undefined };
}

/** True after an image was changed in place: the container starts anew. */
function hasOtherImages(pod: ApiObject): boolean {
  const shown = listIn(pod, "status", "containerStatuses").map((one) => textIn(one, "image"));
  return shown.length > 0 && listIn(pod, "spec", "containers").some((one, index) => textIn(one, "image") !== shown[index]);
}

function isAt(pod: ApiObject, stage: PodStage): boolean {
  if (hasOtherImages(pod)) return false;
  const first = listIn(pod, "status", "containerStatuses")[0];
  const waiting = textIn(first, "state", "waiting", "reason");
  switch (stage) {
    case "creating":
      return waiting === "ContainerCreating";
    case "imagepull":
      return waiting === "ImagePullBackOff";
    case "crashloop":
      return waiting === "CrashLoopBackOff";
    case "run":
      return textIn(pod, "status", "phase") === "Running" && isReady(pod);
    case "notready":
      return textIn(pod, "status", "phase") === "Running";
    case "finish":
      return textIn(pod, "status", "phase") === "Succeeded";
    case "failed":
      return textIn(pod, "status", "phase") === "Failed";
    default:
      return true;
  }
}

function enter(
  cluster: Cluster,
  pod: ApiObject,
  { plan, stage, nextAddress }: { readonly plan: PodPlan; readonly stage: PodStage; readonly nextAddress: () => string },
): void {
  const address = textIn(pod, "status", "podIP") ?? nextAddress();
  const startTime = stage === "creating" ? cluster.timestamp() : (textIn(pod, "status", "startTime") ?? cluster.timestamp());
  const status = podStatusFor(pod, stage, { now: cluster.timestamp(), address, startTime });
  cluster.updateStatus(PODS, pod, { ...treeIn(pod, "status"), ...status });
  for (const container of listIn(pod, "spec", "containers")) tell(cluster, pod, { stage, container, plan });
}

/** Starts the ephemeral containers that were added since. */
function startEphemeral(cluster: Cluster, pod: ApiObject, plan: PodPlan): void {
  const shown = listIn(pod, "status", "ephemeralContainerStatuses");
  const names = new Set(shown.map((one) => textIn(one, "name")));
  const added = listIn(pod, "spec", "ephemeralContainers").filter((one) => !names.has(textIn(one, "name")));
  if (added.length === 0 || textIn(pod, "status", "phase") !== "Running") return;
  const statuses = added.map((one) => {
    const isPulled = !plan.isBadImage(textIn(one, "image") ?? "");
    return ephemeralStatus(one, { isPulled, now: cluster.timestamp() });
  });
  cluster.updateStatus(PODS, pod, { ...treeIn(pod, "status"), ephemeralContainerStatuses: [...shown, ...statuses] });
}

function tell(
  cluster: Cluster,
  pod: ApiObject,
  { stage, container, plan }: { readonly stage: PodStage; readonly container: unknown; readonly plan: PodPlan },
): void {
  const image = textIn(container, "image") ?? "";
  const name = textIn(container, "name") ?? "";
  const fieldPath = `spec.containers{${name}}`;
  const say = (reason: string, message: string, type: "Normal" | "Warning" = "Normal"): void =>
    cluster.record(pod, { type, reason, message, component: COMPONENT, fieldPath });
  if (stage === "imagepull") {
    if (!plan.isBadImage(image)) return;
    say("Pulling", `Pulling image "${image}"`);
    say(
      "Failed",
      `Failed to pull image "${image}": failed to pull and unpack image "${image}": failed to resolve reference "${image}": dial tcp: lookup ${image.split("/")[0]}: no such host`,
      "Warning",
    );
    say("Failed", "Error: ErrImagePull", "Warning");
    say("BackOff", `Back-off pulling image "${image}"`);
    say("Failed", "Error: ImagePullBackOff", "Warning");
  } else if (stage === "run" || stage === "notready" || stage === "crashloop") {
    say("Pulled", `Container image "${image}" already present on machine`);
    say("Created", `Container created`);
    say("Started", `Container started`);
    if (stage === "crashloop")
      say(
        "BackOff",
        `Back-off restarting failed container ${name} in pod ${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`,
        "Warning",
      );
  }
}

function end(cluster: Cluster, pod: ApiObject): undefined {
  for (const container of listIn(pod, "spec", "containers")) {
    const name = textIn(container, "name") ?? "";
    cluster.record(pod, {
      reason: "Killing",
      message: `Stopping container ${name}`,
      component: COMPONENT,
      fieldPath: `spec.containers{${name}}`,
    });
  }
  cluster.delete(PODS, pod, { graceSeconds: 0 });
}
