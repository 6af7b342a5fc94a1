import type { Catalogue } from "../catalogue.ts";

/** Why an action is not performed, and what else it does. Facts: kind, verb, resource and namespace, container, values of a field, path, project. */
export const ACTION = {
  "action/off": "actions are switched off for {environment}; see features.actions in the configuration of the dashboard",
  "action/may-not": "you may not {verb} {resource} in namespace {namespace}",
  "action/not-for-kind": "there is no such action for {kind}",
  "action/restart-paused": "the rollout is paused: resume it, then restart",
  "action/job-finished": "the Job has finished",
  "action/replicas-invalid": "the number of replicas must be a whole number from 0 to {most}",
  "action/image-invalid": "the image must be a reference such as registry.example/app:1.2, at most 512 characters",
  "action/no-container": "there is no container {container}",
  "action/replaced": "another object has this name now: open it again",
  "action/changed": "{path} is {present} now, not {expected}: nothing was changed",
  "action/not-set": "not set",
  "action/replaces-pods": "its pods are replaced",
  "action/git-reverts": "it is applied from {file} in {project}: the next sync from Git may reverse this",
} as const satisfies Catalogue;
