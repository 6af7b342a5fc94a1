import type { EdgeClass } from "./graph-model.ts";

interface CatalogueRow {
  readonly class: EdgeClass;
  /** Drawn from the target to the holder. */
  readonly flowReversed?: true;
  /**
   * A view does not show it by default: what nearly everything has (classes, nodes, accounts, pull secrets), rights, network
   * policies, twins of another line (`svc-workload`, `endpoints-service`), and what people or controllers only note down.
   */
  readonly offByDefault?: true;
}

/** Every kind of edge: one row of the catalogue each. User-defined edges come on top, with the kind `custom:<id>`. */
export const EDGE_CATALOGUE = {
  owner: { class: "owner", flowReversed: true },
  "slice-service": { class: "inferred-owner", flowReversed: true },
  "endpoints-service": { class: "inferred-owner", flowReversed: true, offByDefault: true },
  "sts-pvc": { class: "inferred-owner", flowReversed: true },
  "sts-svc": { class: "select", flowReversed: true },
  "sa-token": { class: "inferred-owner", flowReversed: true, offByDefault: true },
  helm: { class: "group", flowReversed: true },
  gitops: { class: "group", flowReversed: true },
  "flux-inv": { class: "group" },
  "flux-src": { class: "target" },
  "slice-pod": { class: "route" },
  "svc-pod": { class: "select" },
  "svc-workload": { class: "select", offByDefault: true },
  "connects-to": { class: "select", offByDefault: true },
  "netpol-pod": { class: "policy", offByDefault: true },
  "pdb-pod": { class: "policy" },
  "ing-svc": { class: "route" },
  "ing-res": { class: "route", offByDefault: true },
  "ing-tls": { class: "mount" },
  "ing-class": { class: "class", offByDefault: true },
  "gw-class": { class: "class", offByDefault: true },
  "gw-cert": { class: "mount" },
  "route-gw": { class: "route", flowReversed: true },
  "route-svc": { class: "route" },
  "pod-cm": { class: "mount" },
  "pod-secret": { class: "mount" },
  "pod-pvc": { class: "mount" },
  "pod-claim": { class: "mount" },
  "pod-secretclass": { class: "mount" },
  "pod-pullsecret": { class: "mount", offByDefault: true },
  "pod-sa": { class: "rbac", offByDefault: true },
  "pod-node": { class: "place", offByDefault: true },
  "pod-prio": { class: "class", offByDefault: true },
  "pod-rc": { class: "class", offByDefault: true },
  "tmpl-mount": { class: "mount" },
  "sa-secret": { class: "mount", offByDefault: true },
  "pvc-pv": { class: "bind" },
  "pvc-source": { class: "bind" },
  "pvc-sc": { class: "class", offByDefault: true },
  "pv-sc": { class: "class", offByDefault: true },
  hpa: { class: "target" },
  "rb-role": { class: "rbac", offByDefault: true },
  "rb-subject": { class: "rbac", offByDefault: true },
  cert: { class: "mount" },
} as const satisfies Record<string, CatalogueRow>;

/** A row of the catalogue. */
export type EdgeKind = keyof typeof EDGE_CATALOGUE;

/** What all edges of a kind have in common. Shared by all references of the kind. */
export interface EdgeRow {
  /** A row of the catalogue, or `custom:<id>`. */
  readonly kind: string;
  readonly class: EdgeClass;
  readonly flowReversed: boolean;
}

const ROWS: ReadonlyMap<string, EdgeRow> = new Map(
  Object.entries<CatalogueRow>(EDGE_CATALOGUE).map(([kind, row]) => [
    kind,
    { kind, class: row.class, flowReversed: row.flowReversed === true },
  ]),
);

/** The row of a kind. */
export function rowOf(kind: EdgeKind): EdgeRow {
  return ROWS.get(kind) ?? { kind, class: EDGE_CATALOGUE[kind].class, flowReversed: false };
}

/** Whether the class forms the tree. */
export function isTreeClass(edgeClass: EdgeClass): boolean {
  return edgeClass === "owner" || edgeClass === "inferred-owner";
}
