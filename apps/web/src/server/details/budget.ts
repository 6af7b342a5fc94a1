import { fieldsAt, numberAt } from "@binnacle/kube";

import type { Details, DetailInput } from "../detail-parts/details.ts";
import { plain, row, saying, selectorText } from "../detail-parts/rows.ts";

/** How many pods must stay, and how many may go now. */
export function budgetDetails({ spec, status }: DetailInput): Partial<Details> {
  const free = numberAt(status, "disruptionsAllowed");
  const [healthy, wanted] = [numberAt(status, "currentHealthy"), numberAt(status, "desiredHealthy")];
  const facts = [
    ...row("detail/min-available", plain(spec["minAvailable"])),
    ...row("detail/max-unavailable", plain(spec["maxUnavailable"])),
    ...row("detail/may-go", plain(free, free === 0 ? "busy" : undefined)),
    ...row(
      "detail/healthy-pods",
      healthy === undefined ? undefined : saying("detail/healthy-of", { count: healthy, total: numberAt(status, "expectedPods"), wanted }),
    ),
    ...row("detail/selector", plain(selectorText(fieldsAt(spec, "selector")))),
    ...row("detail/unhealthy-pods", plain(spec["unhealthyPodEvictionPolicy"])),
  ];
  return { facts };
}
