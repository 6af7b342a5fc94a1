import type { Catalogue } from "../catalogue.ts";

/**
 * Health of custom resources, what a witness has seen, and conditions that have no message of their own. Facts: condition, status, reason,
 * observed; path, value, wantPath, want of fields; name of an annotation.
 */
export const CUSTOM_RESOURCE = {
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
} as const satisfies Catalogue;
