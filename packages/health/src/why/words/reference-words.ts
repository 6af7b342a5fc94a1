import type { WordTable } from "./words.ts";

/** Things that are referred to and are not there. Facts: kind, name, namespace, key, by. */
export const REFERENCE_WORDS = {
  "config-map": {
    reason: "NotFound",
    message: "ConfigMap {name} does not exist[; {by} needs it]",
    nextStep: "Create ConfigMap {name} in namespace {namespace}, or correct the name where it is used.",
  },
  secret: {
    reason: "NotFound",
    message: "Secret {name} does not exist[; {by} needs it]",
    nextStep: "Create Secret {name} in namespace {namespace}, or correct the name where it is used.",
  },
  key: {
    reason: "KeyNotFound",
    message: "{kind} {name} has no key {key}[; {by} needs it]",
    nextStep: "Add key {key} to {kind} {name}, or correct the key where it is used.",
  },
  claim: {
    reason: "NotFound",
    message: "PersistentVolumeClaim {name} does not exist[; {by} needs it]",
    nextStep: "Create PersistentVolumeClaim {name} in namespace {namespace}, or correct claimName where it is used.",
  },
  "service-account": {
    reason: "NotFound",
    message: "ServiceAccount {name} does not exist[; {by} needs it]",
    nextStep: "Create ServiceAccount {name} in namespace {namespace}, or correct serviceAccountName.",
  },
  service: {
    reason: "NotFound",
    message: "Service {name} does not exist[; {by} sends its traffic there]",
    nextStep: "Create Service {name} in namespace {namespace}, or correct the backend[ of {by}].",
  },
  "storage-class": {
    reason: "NotFound",
    message: "StorageClass {name} does not exist[; {by} needs it]",
    nextStep: "Create StorageClass {name}, or make the claim anew with a class that exists.",
  },
  other: {
    reason: "NotFound",
    message: "{kind} {name} does not exist[; {by} refers to it]",
    nextStep: "Create {kind} {name}[ in namespace {namespace}], or correct the reference.",
  },
} as const satisfies WordTable;
