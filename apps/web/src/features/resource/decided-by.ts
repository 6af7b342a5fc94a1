import type { ResourceHealth } from "@binnacle/proto/dashboard";
import { messageText } from "../../ui/messages.ts";

/** The field or the condition that decided, "status.components.db.status is ERROR"; empty where the verdict says just that, or nothing is known. */
export function decidedBy(health: Pick<ResourceHealth, "because" | "words"> | undefined): string {
  const because = messageText(health?.because);
  return because === messageText(health?.words) ? "" : because;
}
