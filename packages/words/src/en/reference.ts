import type { Catalogue } from "../catalogue.ts";

/** Things that are referred to and are not there. Facts: kind, name, namespace, key, by, maker. */
export const REFERENCE = {
  "reference/config-map": "ConfigMap {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/config-map/next": "Create ConfigMap {name} in namespace {namespace}, or correct the name where it is used.",
  "reference/secret": "Secret {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/secret/next": "Create Secret {name} in namespace {namespace}, or correct the name where it is used.",
  "reference/key": "{kind} {name} has no key {key}{has_by, select, no {} other {; {by} needs it}}",
  "reference/key/next": "Add key {key} to {kind} {name}, or correct the key where it is used.",
  "reference/claim": "PersistentVolumeClaim {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/claim/next": "Create PersistentVolumeClaim {name} in namespace {namespace}, or correct claimName where it is used.",
  "reference/service-account": "ServiceAccount {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/service-account/next": "Create ServiceAccount {name} in namespace {namespace}, or correct serviceAccountName.",
  "reference/service": "Service {name} does not exist{has_by, select, no {} other {; {by} sends its traffic there}}",
  "reference/service/next":
    "Create Service {name} in namespace {namespace}, or correct the backend{has_by, select, no {} other { of {by}}}.",
  "reference/storage-class": "StorageClass {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/storage-class/next": "Create StorageClass {name}, or make the claim anew with a class that exists.",
  "reference/priority-class": "PriorityClass {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/priority-class/next": "Create PriorityClass {name}, or correct priorityClassName in the pod template.",
  "reference/runtime-class": "RuntimeClass {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/runtime-class/next": "Create RuntimeClass {name}, or correct runtimeClassName in the pod template.",
  "reference/made": "{kind} {name} does not exist yet; {maker} makes it{has_by, select, no {} other {, and {by} needs it}}",
  "reference/made/next": "Find out why {maker} has not made {kind} {name}; do not create it by hand.",
  "reference/other": "{kind} {name} does not exist{has_by, select, no {} other {; {by} refers to it}}",
  "reference/other/next": "Create {kind} {name}{has_namespace, select, no {} other { in namespace {namespace}}}, or correct the reference.",
} as const satisfies Catalogue;
