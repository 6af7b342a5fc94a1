import type { Catalogue } from "../catalogue.ts";

/** Messages about health of any kind, of an environment, and by health rules of users. */
export const HEALTH_RESOURCES = {
  // Verdicts on any kind, and on containers.
  "health/rule-failed": "The health rule failed: {error}",
  "health/unknown-error": "unknown error",
  "health/not-observed": "Waiting for the controller to see generation {generation}; it has seen {observed}",
  "health/phase-not-known": "The phase {phase} is not known",
  "health/terminating":
    "Pending deletion{has_count, select, no {} other {{has_finalizers, select, no {} other {; waits for {count, plural, one {finalizer} other {finalizers}} {finalizers}}}}}",
  "health/missing": "{kind} {name} does not exist{has_by, select, no {} other {; referenced by {by}}}",
  "health/pods": "Pod {pod}: {said}{has_more, select, no {} other { (and {more, plural, one {{more} more pod} other {{more} more pods}})}}",
  // Health of an environment.
  "roll-up/nothing":
    "Nothing to check{has_hidden, select, no {} other {; not visible: {hidden}}}{has_unknown, select, no {} other {; not all known: {unknown}}}",
  "roll-up/healthy":
    "{count, plural, one {The only checked resource is healthy} other {All {count} checked resources are healthy}}{has_hidden, select, no {} other {; not visible: {hidden}}}{has_unknown, select, no {} other {; not all known: {unknown}}}",
  "roll-up/noticed": "{said}; {count, plural, one {{count} issue beside that} other {{count} issues beside that}}",
  "roll-up/first": "{kind} {name}: {said}{has_more, select, no {} other { (and {more} more not healthy)}}",
  "roll-up/first-named": "{said}{has_more, select, no {} other { (and {more} more not healthy)}}",
  // Any other resource, by its own conditions. Facts: kind, name, condition, path, because, said, reason, controller.
  "resource/condition": "{kind} {name}: {said}",
  "resource/condition/next":
    "Look at condition {condition} of {kind} {name} and at the log of the controller that writes it{has_controller, select, no {} other {, {controller}}}.",
  "resource/own": "{kind} {name}: {said}",
  "resource/own/next":
    "Look at the status of {kind} {name} and at the log of its controller{has_controller, select, no {} other {, {controller}}}.",
  "resource/field": "{kind} {name}: {said}{has_because, select, no {} other { ({because})}}",
  "resource/field/next":
    "Look at {path} of {kind} {name} and at the log of the controller that writes it{has_controller, select, no {} other {, {controller}}}.",
  "resource/no-status": "No controller has written a status for {kind} {name} yet",
  "resource/no-status/next": "Check that the controller of {kind} is installed and runs.",
  "resource/restarts": "{Container} is ready again after {count} restarts; the last time it ended with {said}",
  "resource/restarts/next": "Read the log of its last run ({log}) before it happens again.",
  // Health of custom resources, the evidence for it, and conditions that have no message of their own. Facts: condition, status, reason,
  // observed; path, value, wantPath, want of fields; name of an annotation.
  "custom-resource/no-status": "The controller has not written a status yet",
  "custom-resource/ready": "The resource is ready",
  "custom-resource/not-understood": "Nothing that its controller wrote is understood",
  "custom-resource/too-much": "There is more in it than is read, so that it is not understood",
  "custom-resource/current": "Nothing speaks against it",
  "because/field": "{path} is {value}",
  "because/count": "{path} is {value}, {wantPath} is {want}",
  "because/error": "{path} is not empty",
  "because/annotation": "annotation {name} is {value}",
  "because/condition":
    "condition {condition}{has_path, select, no {} other { of {path}}} is {status}{has_reason, select, no {} other { ({reason})}}",
  "condition/state": "{condition} is {status}{has_reason, select, no {} other { ({reason})}}",
  "condition/reason": "{condition}: {reason}",
  "condition/older-generation": "Condition {condition} is of an older generation; it has seen {observed}",
  // Owner references that do not count. Facts: kind, name, owner, namespace, count.
  "ownership/other-namespace": "{kind} {name} names {owner} of namespace {namespace} as its owner, which Kubernetes treats as deleted",
  "ownership/other-namespace/next":
    "Remove this owner reference of {kind} {name} before Kubernetes deletes it with the owner that it does not see.",
  "ownership/ring":
    "{kind} {name} is one of {count, plural, one {{count} resource} other {{count} resources}} that own each other in a ring",
  "ownership/ring/next": "Remove one of the owner references of the ring: while it stands, deleting any of them deletes all.",
  // Changes that precede an issue. Facts: kind, name, manager, images, node, pod, reason, condition, by, said.
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
  // Health rules of users: the result of a run. Facts: rule, said, status, source, until, count.
  "rule/lua": "the health script",
  "rule/cel": "the health expression",
  "rule/says": "{Rule} returns {status}",
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
  "rule/busy": "Too many objects wait for health rules of this cluster; {rule} runs later",
  "rule/disabled": "{Rule} is switched off",
  "rule/switched-off":
    "{Rule} is switched off until {until} after {count, plural, one {{count} failure} other {{count} failures}}, the last one: {said}",
  "rule/closed": "Health rules are not run any more: the program is stopping",
} as const satisfies Catalogue;
