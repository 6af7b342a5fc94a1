import type { EdgeClass } from "./graph-model.ts";

interface CatalogueRow {
  readonly class: EdgeClass;
  /** Drawn from the target to the holder. */
  readonly flowReversed?: true;
}

/** Every kind of edge: one row of the catalogue each. */
export const EDGE_CATALOGUE = {
  owner: { class: "owner", flowReversed: true },
  "slice-service": { class: "inferred-owner", flowReversed: true },
  "sts-pvc": { class: "inferred-owner", flowReversed: true },
  "slice-pod": { class: "route" },
  "svc-pod": { class: "select" },
  "netpol-pod": { class: "policy" },
  "pdb-pod": { class: "policy" },
  "ing-svc": { class: "route" },
  "ing-res": { class: "route" },
  "ing-tls": { class: "mount" },
  "ing-class": { class: "class" },
  "gw-class": { class: "class" },
  "gw-cert": { class: "mount" },
  "route-gw": { class: "route", flowReversed: true },
  "route-svc": { class: "route" },
  "pod-cm": { class: "mount" },
  "pod-secret": { class: "mount" },
  "pod-pvc": { class: "mount" },
  "pod-pullsecret": { class: "mount" },
  "pod-sa": { class: "rbac" },
  "pod-node": { class: "place" },
  "tmpl-mount": { class: "mount" },
  "pvc-pv": { class: "bind" },
  "pvc-sc": { class: "class" },
  hpa: { class: "target" },
  "rb-role": { class: "rbac" },
  "rb-subject": { class: "rbac" },
  cert: { class: "mount" },
} as const satisfies Record<string, CatalogueRow>;

/** A row of the catalogue. */
export type EdgeKind = keyof typeof EDGE_CATALOGUE;

/** Whether the class forms the tree. */
export function isTreeClass(edgeClass: EdgeClass): boolean {
  return edgeClass === "owner" || edgeClass === "inferred-owner";
}

/** Whether edges of this kind are drawn from their target to their holder. */
export function isFlowReversed(kind: EdgeKind): boolean {
  const row: CatalogueRow = EDGE_CATALOGUE[kind];
  return row.flowReversed === true;
}
