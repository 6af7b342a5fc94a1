import type { Catalogue } from "../../catalogue.ts";

/** What `features/why` says, once it is loaded. */
export const VIEW_WHY = {
  "why/clear-filters": "Clear filters",
  "why/find-issues": "Find issues",
  "why/issue": "Issue",
  "why/issues": "Issues",
  "why/kind": "Kind",
  "why/message": "Message",
  "why/named-resources": "Named resources",
  "why/order-newest": "Newest first",
  "why/column-next": "Next step",
  "why/not-counted": "Not counted",
  "why/of-shown": "{count} of {count2} shown",
  "why/on-purpose-or": "{total} on purpose, or only worth knowing",
  "why/order": "Order",
  "why/reason": "Reason",
  "why/column-resources": "Resources",
  "why/column-since": "Since",
  "why/status": "Status",
  "why/order-worst": "Worst first",
} as const satisfies Catalogue;
