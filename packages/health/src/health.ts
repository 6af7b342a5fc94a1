import type { KubeObject } from "@binnacle/kube";

import type { HealthContext, HealthResult } from "./health-result.ts";

/** Health of a resource; `null` = no opinion. (Rules follow.) */
export function health(_resource: KubeObject, _context: HealthContext): HealthResult | null {
  return null;
}
