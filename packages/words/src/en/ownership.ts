import type { Catalogue } from "../catalogue.ts";

/** Owner references that do not count. Facts: kind, name, owner, namespace, count. */
export const OWNERSHIP = {
  "ownership/other-namespace": "{kind} {name} names {owner} of namespace {namespace} as its owner, which Kubernetes takes for deleted",
  "ownership/other-namespace/next":
    "Remove this owner reference of {kind} {name} before Kubernetes deletes it with the owner that it does not see.",
  "ownership/ring":
    "{kind} {name} is one of {count, plural, one {{count} resource} other {{count} resources}} that own each other in a ring",
  "ownership/ring/next": "Remove one of the owner references of the ring: while it stands, deleting any of them deletes all.",
} as const satisfies Catalogue;
