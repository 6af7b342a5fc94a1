/**
 * Kinds of which the world has no object, by "group/resource": their lists are not lists of objects that somebody made. Every other
 * kind that the API server serves has one.
 */
export const LEFT_OUT_OF_THE_WORLD: readonly string[] = [];

/** Kinds of edges that the graph of the world has at least; rows of the catalogue. */
export const EDGES_OF_THE_WORLD: readonly string[] = [
  "owner",
  "slice-service",
  "sts-pvc",
  "slice-pod",
  "svc-pod",
  "netpol-pod",
  "pdb-pod",
  "ing-svc",
  "ing-tls",
  "ing-class",
  "gw-class",
  "gw-cert",
  "route-gw",
  "route-svc",
  "pod-cm",
  "pod-secret",
  "pod-pvc",
  "pod-pullsecret",
  "pod-sa",
  "pod-node",
  "tmpl-mount",
  "pvc-pv",
  "pvc-sc",
  "hpa",
  "rb-role",
  "rb-subject",
  "cert",
];
