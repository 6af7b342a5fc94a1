import type { Catalogue } from "../catalogue.ts";

/** Why logs are not read. Facts: namespace, a number of containers, kind, reason. */
export const LOGS = {
  "logs/refused": "you may not get pods/log in namespace {namespace}",
  "logs/pods-refused": "you may not list and watch pods in namespace {namespace}",
  "logs/over-limit": "at most {most} containers are read at a time",
  "logs/over-limit-proxy": "at most {most} containers are read at a time; an agentk of this release reads any number",
  "logs/too-many": "only the first {most} containers are listed",
  "logs/no-pods-of-kind": "{kind} has no pods whose logs could be read",
  "logs/filter-invalid": "the filter cannot be used: {reason}",
} as const satisfies Catalogue;
