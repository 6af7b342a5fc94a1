import type { Catalogue } from "../catalogue.ts";

/** What the details of a resource say by themselves. Facts: count, line, percent, status, time, total. */
export const DRAWER = {
  "drawer/ago": "{time} ago",
  "drawer/deleted": "Deleted",
  "drawer/empty": "empty",
  "drawer/ended": "Its last state was: {status}",
  "drawer/fewer": "Show fewer",
  "drawer/in": "in {time}",
  "drawer/in-yaml": "the rest is in the YAML",
  "drawer/more": "and {count} more",
  "drawer/open-successor": "Open successor",
  "drawer/show-all": "Show all {count}",
  "drawer/show-value": "show all",
  "drawer/show-less": "less",
  "drawer/updated": "{count} of {total} updated",
  "drawer/used-share": "{percent} %",
} as const satisfies Catalogue;
