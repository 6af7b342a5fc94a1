import type { Catalogue } from "../catalogue.ts";

/** Health rules of users: what a run of one came to. Facts: rule, said, status, source, until, count. */
export const USER_RULE = {
  "rule/lua": "the health script",
  "rule/cel": "the health expression",
  "rule/says": "{Rule} says {status}",
  "rule/invalid-status": "Lua returned an invalid health status",
  "rule/invalid": "The health rule of {source} cannot run: {said}",
  "rule/not-json": "The resource cannot be written as JSON",
  "rule/too-large": "The resource is longer than 4 MiB",
  "rule/error": "{Rule} failed: {said}",
  "rule/missing-field": "{Rule} reads a field that the object does not have (yet): {said}",
  "rule/lua-steps": "{Rule} ran more than 1,000,000 instructions",
  "rule/cel-steps": "{Rule} ran more than 250,000 steps",
  "rule/lua-memory": "{Rule} needs more than 64 MiB of memory",
  "rule/cel-memory": "{Rule} needs more than 16 MiB of new text",
  "rule/timeout": "{Rule} took longer than 250 ms",
  "rule/crash": "{Rule} broke its sandbox: {said}",
  "rule/lost": "The thread of {rule} ended unexpectedly",
  "rule/unavailable": "There is no sandbox for health scripts; it is tried again: {said}",
  "rule/unstarted": "The thread for health rules could not be started; it is tried again",
  "rule/busy": "Too many objects wait for health rules of this cluster; {rule} is asked later",
  "rule/disabled": "{Rule} is switched off",
  "rule/switched-off":
    "{Rule} is switched off until {until} after {count, plural, one {{count} failure} other {{count} failures}}, the last one: {said}",
  "rule/closed": "Health rules are not run any more: the program is stopping",
} as const satisfies Catalogue;
