import type { Catalogue } from "../catalogue.ts";

/** Any other resource, by its own words. Facts: kind, name, condition, path, because, said, reason, controller. */
export const RESOURCE = {
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
} as const satisfies Catalogue;
