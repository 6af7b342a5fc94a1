import type { Catalogue } from "../catalogue.ts";

/** What the details of a resource say by themselves. Facts: ago, count, key, time, what. */
export const DRAWER = {
  "drawer/ago": "{ago} ago",
  "drawer/ended": "Its last state was: {status}",
  "drawer/fewer": "Show fewer",
  "drawer/in-yaml": "the rest is in the YAML",
  "drawer/line": "Link to line {line}",
  "drawer/more": "{count:one=and # more|other=and # more}",
  "drawer/open-successor": "Open successor",
  "drawer/show-all": "Show all {count}",
  "drawer/show-value": "show all",
  "drawer/show-less": "less",
  "drawer/used-share": "{percent} %",
} as const satisfies Catalogue;
