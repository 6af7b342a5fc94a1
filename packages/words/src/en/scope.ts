import type { Catalogue } from "../catalogue.ts";

/** Which part of a cluster an environment is. */
export const SCOPE = {
  "scope/is":
    "{Where}{has_labels, select, no {} other {, with labels {labels}}}{has_more, select, no {} other { and {more} more}}{has_inventory, select, no {} other {, inventory {inventory}}}",
  "scope/covers": "{shown} of {total, plural, one {{total} resource} other {{total} resources}} of {where}",
  "scope/in/everywhere": "all namespaces",
  "scope/in/namespace": "namespace {name}",
  "scope/in/namespaces": "namespaces {names}",
} as const satisfies Catalogue;
