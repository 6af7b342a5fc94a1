import type { Catalogue } from "../catalogue.ts";

/** Which part of a cluster an environment is. */
export const SCOPE = {
  "scope/is": "{^where}[, with labels {labels}][ and {more} more][, inventory {inventory}]",
  "scope/covers": "{shown} of {total:one=# resource|other=# resources} of {where}",
  "scope/in/everywhere": "all namespaces",
  "scope/in/namespace": "namespace {name}",
  "scope/in/namespaces": "namespaces {names}",
} as const satisfies Catalogue;
