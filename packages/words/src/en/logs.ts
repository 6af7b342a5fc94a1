import type { Catalogue } from "../catalogue.ts";

/** Why logs are not read. Facts: namespace, a number of containers. */
export const LOGS = {
  "logs/refused": "you may not get pods/log in namespace {namespace}",
  "logs/pods-refused": "you may not list and watch pods in namespace {namespace}",
  "logs/over-limit": "at most {most} containers are read at a time",
  "logs/too-many": "only the first {most} containers are listed",
} as const satisfies Catalogue;
