import type { ResourceHealth } from "@binnacle/proto/dashboard";
import { said } from "../../ui/said.ts";

/** The field or the condition that decided, "status.components.db.status is ERROR"; empty where the verdict says just that, or nothing is known. */
export function decidedBy(health: Pick<ResourceHealth, "because" | "words"> | undefined): string {
  const because = said(health?.because);
  return because === said(health?.words) ? "" : because;
}
