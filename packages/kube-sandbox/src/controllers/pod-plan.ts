import type { ApiObject } from "../api-object.ts";
import { controllerOf } from "../api-object.ts";
import { listIn, textIn } from "../json-tree.ts";
import type { PodStage } from "./pod-status.ts";

/** How the life of a pod goes. */
export interface PodPlan {
  readonly outcome: PodStage;
  readonly readyAfterMs: number;
  readonly runForMs: number;
  /** Stays terminating for ever. */
  readonly endsNever: boolean;
  readonly isBadImage: (image: string) => boolean;
}

const READY_AFTER_MS = 1_000;
const RUN_FOR_MS = 1_000;
const BAD_HOST = "nosuch.invalid/";
const FAULTS: Readonly<Record<string, PodStage>> = {
  crashloop: "crashloop",
  imagepull: "imagepull",
  notready: "notready",
  oom: "crashloop",
  failed: "failed",
  evicted: "failed",
  creating: "creating",
};

/** Reads the pod's image, owner, and the label and annotations that script it (the ones the kwok stages of the real cluster know). */
export function planOf(pod: ApiObject): PodPlan {
  const fault = pod.metadata.labels?.["bench.kas/fault"] ?? "";
  const images = listIn(pod, "spec", "containers").map((one) => textIn(one, "image") ?? "");
  const annotations = pod.metadata.annotations ?? {};
  const finishes = controllerOf(pod)?.kind === "Job";
  const ordinary: PodStage = images.some((image) => image.startsWith(BAD_HOST)) ? "imagepull" : finishes ? "finish" : "run";
  return {
    outcome: FAULTS[fault] ?? ordinary,
    readyAfterMs: millisecondsOf(annotations["bench.kas/ready-after"]) ?? READY_AFTER_MS,
    runForMs: millisecondsOf(annotations["bench.kas/run-for"]) ?? RUN_FOR_MS,
    endsNever: fault === "stuck",
    isBadImage: (image) => image.startsWith(BAD_HOST) || fault === "imagepull",
  };
}

/** `250`, `250ms`, `5s`, `2m`. */
function millisecondsOf(text: string | undefined): number | undefined {
  const [, number, unit = "ms"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text ?? "") ?? [];
  if (number === undefined) return undefined;
  return Number(number) * (unit === "m" ? 60_000 : unit === "s" ? 1_000 : 1);
}
