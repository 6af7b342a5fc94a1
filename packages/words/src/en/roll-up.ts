import type { Catalogue } from "../catalogue.ts";

/** Health of an environment. */
export const ROLL_UP = {
  "roll-up/nothing": "Nothing to check[; not visible: {hidden}][; not all known: {unknown}]",
  "roll-up/healthy":
    "{count:one=The only checked resource is healthy|other=All # checked resources are healthy}[; not visible: {hidden}][; not all known: {unknown}]",
  "roll-up/noticed": "{said}; {count:one=# issue beside that|other=# issues beside that}",
  "roll-up/first": "{kind} {name}: {said}[ (and {more} more not healthy)]",
  "roll-up/first-named": "{said}[ (and {more} more not healthy)]",
} as const satisfies Catalogue;
