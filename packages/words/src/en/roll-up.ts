import type { Catalogue } from "../catalogue.ts";

/** Health of an environment. */
export const ROLL_UP = {
  "roll-up/nothing":
    "Nothing to check{has_hidden, select, no {} other {; not visible: {hidden}}}{has_unknown, select, no {} other {; not all known: {unknown}}}",
  "roll-up/healthy":
    "{count, plural, one {The only checked resource is healthy} other {All {count} checked resources are healthy}}{has_hidden, select, no {} other {; not visible: {hidden}}}{has_unknown, select, no {} other {; not all known: {unknown}}}",
  "roll-up/noticed": "{said}; {count, plural, one {{count} issue beside that} other {{count} issues beside that}}",
  "roll-up/first": "{kind} {name}: {said}{has_more, select, no {} other { (and {more} more not healthy)}}",
  "roll-up/first-named": "{said}{has_more, select, no {} other { (and {more} more not healthy)}}",
} as const satisfies Catalogue;
