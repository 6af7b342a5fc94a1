import type { Catalogue } from "../catalogue.ts";

/** What changed before something went bad. Facts: kind, name, manager, images, node, pod, reason, condition, by, said. */
export const CHANGE = {
  "change/changed": "{kind} {name} was changed{has_manager, select, no {} other { by {manager}}}",
  "change/created": "{kind} {name} was created{has_manager, select, no {} other { by {manager}}}",
  "change/rolled-out": "{kind} {name} was rolled out: {images}",
  "change/rolled-back": "{kind} {name} was rolled back to an earlier revision{has_images, select, no {} other {: {images}}}",
  "change/rolled-out-first": "{kind} {name} was rolled out for the first time",
  "change/rolled-out-same-images": "{kind} {name} was rolled out; its images stayed the same",
  "change/image": "{before} → {after}",
  "change/scaled": "{kind} {name} was scaled{has_by, select, no {} other { by {by}}}{has_said, select, no {} other {: {said}}}",
  "change/node-event": "Node {node}: {reason}{has_said, select, no {} other {, {said}}}",
  "change/node-event-of-pod": "The node of pod {pod}: {reason}{has_said, select, no {} other {, {said}}}",
  "change/node-not-ready": "Node {node} stopped being ready{has_reason, select, no {} other { ({reason})}}",
  "change/node-condition": "Node {node} began to report {condition}{has_reason, select, no {} other { ({reason})}}",
} as const satisfies Catalogue;
