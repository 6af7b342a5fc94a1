import { fieldsAt, listAt, quantityOf, textAt } from "@binnacle/kube";

import type { MeasuredLine } from "./measured.ts";

/** What metrics.k8s.io measures. */
export type PodResource = "cpu" | "memory";

/** Sum of what the containers of PodMetrics use; none when none is measured. */
export function usageOf(pods: readonly unknown[], resource: PodResource): readonly MeasuredLine[] {
  const containers = pods.flatMap((pod) => listAt(pod, "containers"));
  return lineOf(
    "usage",
    containers.map((container) => quantityOf(fieldsAt(container, "usage")[resource])),
  );
}

/** Sums of what the containers of these pods request, and may use at most; of what says nothing there is no line. */
export function reservedOf(pods: readonly unknown[], resource: PodResource): readonly MeasuredLine[] {
  const containers = pods.filter(isRunning).flatMap((pod) => listAt(fieldsAt(pod, "spec"), "containers"));
  return (["requests", "limits"] as const).flatMap((name) =>
    lineOf(
      name,
      containers.map((container) => quantityOf(fieldsAt(fieldsAt(container, "resources"), name)[resource])),
    ),
  );
}

/** One that has ended uses nothing. */
function isRunning(pod: unknown): boolean {
  const phase = textAt(fieldsAt(pod, "status"), "phase");
  return phase !== "Succeeded" && phase !== "Failed";
}

function lineOf(name: string, amounts: readonly (number | undefined)[]): readonly MeasuredLine[] {
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === 0 ? [] : [{ name, values: [known.reduce((sum, amount) => sum + amount, 0)] }];
}
