import type { Catalogue } from "../catalogue.ts";

/** What the pages of settings, and links to them, say in the HTML of a page. */
export const PAGE_SETTINGS = {
  // features/settings
  "settings/choose-agent": "Choose an agent",
  "settings/heading": "Settings",
  "settings/loading": "Loading settings",
  "settings/new": "New environment",
  "settings/not-loaded": "The settings could not be loaded.",
  "settings/title": "Settings of {environment}",
} as const satisfies Catalogue;

/** Messages of the settings of environments. */
export const SETTINGS = {
  // server/settings. Facts: agent, branch, configuration (project of the agent), environment, file, most, path, pattern, product, project,
  // text, user, version, what, why, yaml.
  "settings/agent-changed":
    "An environment has one agent, and another person has {has_agent, select, no {removed it} other {set agent {agent}}} since this page was loaded. Load the settings again and compare.",
  "settings/agent-forbidden":
    "Agent {agent}{has_configuration, select, no {} other { of {configuration}}} does not let {user} in with the rights of project {project}. An administrator of the agent can allow it under user_access in the agent's configuration file.",
  "settings/agent-not-shared":
    "{has_agent, select, no {The agent} other {Agent {agent}}} is not shared with the users of {project}. Choose another agent, or add the project to user_access in the configuration file of the agent.",
  "settings/changed": "Another person has changed these settings since this page was loaded. Load the settings again and compare.",
  "settings/edit-by-hand": "{file} cannot be edited in place. Change the file by hand to contain these lines:\n{yaml}",
  "settings/remove-by-hand": "{file} cannot be edited in place. Remove the entry of {environment} by hand.",
  "settings/file-changed": "{file} has changed since this page was loaded. Load the settings again and compare.",
  "settings/file-too-large": "{file} would be larger than 64 KiB, which is more than is read of it.",
  "settings/invalid": "{path}: {what}",
  "settings/invalid-agent": "The agent is not a number",
  "settings/invalid-flux":
    "The Flux resource must be a path such as kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/app or helm.toolkit.fluxcd.io/v2/namespaces/flux-system/helmreleases/app.",
  "settings/invalid-name": "The name of an environment has 1 to {most} characters.",
  "settings/invalid-selector": "The selector cannot be read at “{text}”. Write app=web or tier in (a, b), and separate several by commas.",
  "settings/is-stopped": "The environment is stopped already.",
  "settings/may-not-create": "You may not create environments in {project}. Ask a maintainer of the project.",
  "settings/may-not-delete": "You may not delete environment {environment} of {project}. Ask a maintainer of the project.",
  "settings/may-not-push": "You may not push to the repository of {project}. Ask a maintainer of the project.",
  "settings/may-not-stop": "You may not stop environment {environment} of {project}. Ask a maintainer of the project.",
  "settings/may-not-update": "You may not change environment {environment} of {project}. Ask a maintainer of the project.",
  "settings/name-not-typed": "Type the name of the environment to delete it.",
  "settings/name-taken": "The project has an environment called {environment} already.",
  "settings/no-agent-chosen": "Choose an agent to see which resources match.",
  "settings/no-commit": "The repository of {project} has no commit yet, so there is no branch to save to.",
  "settings/not-stopped": "Only a stopped environment can be deleted.",
  "settings/not-supported": "This instance cannot do it: {version} or newer is needed.",
  "settings/pattern":
    "The pattern {pattern} in {file} names namespaces for this environment. An entry of its own must name at least one namespace.",
  "settings/preview-partial": "Some kinds have not been counted yet.",
  "settings/proposed": "The default branch is protected. The change is on branch {branch}: make a merge request of it.",
  "settings/rejected": "{product} rejected the change{has_why, select, no {} other {: {why}}}.",
  "settings/unknown": "{product} did not answer. The change may have been made: load the settings again before you repeat it.",
  // features/settings
  "settings/access-allowed": "You may list {resource}{has_namespace, select, no {} other { in {namespace}}}",
  "settings/access-denied": "You may not list {resource}{has_namespace, select, no {} other { in {namespace}}}",
  "settings/agent-gone":
    "No agent is set that you may see. If there was one, it was deleted or is no longer shared with you: choose an agent again.",
  "settings/agent-hint": "An environment has one agent. An agent can serve many environments.",
  "settings/agent-replaced": "An environment has one agent: {agent} replaces {before}.",
  "settings/agent-unshared":
    "Agent {agent} is set, but it is not shared with the users of this project any more. Choose another agent, or share it again.",
  "settings/agents-for-jobs": "Shared with CI jobs only",
  "settings/allow-agent": "{agent} is shared with CI jobs only and cannot be chosen. These lines in its configuration file would allow it:",
  "settings/as-in-cluster": "You are {user} in the cluster.",
  "settings/auto-stop": "{product} stops this environment {at}.",
  "settings/by-pattern":
    "These values come from the pattern {pattern} in .gitlab/binnacle.yaml. Saving other ones adds an entry for this environment.",
  "settings/create": "Create environment",
  "settings/delete": "Delete environment",
  "settings/delete-confirm":
    "Deletes the environment in {product}. What runs in the cluster stays, and so does its entry in .gitlab/binnacle.yaml.",
  "settings/delete-type": "Type {environment} to confirm",
  "settings/deleted": "The environment was deleted.",
  "settings/edit-in": "Edit in {product}",
  "settings/external-url": "External URL",
  "settings/file-result": "File .gitlab/binnacle.yaml",
  "settings/filter-agents": "Filter agents",
  "settings/flux": "Flux resource",
  "settings/flux-hint": "Path of a Kustomization or HelmRelease. Leave it empty if Flux does not deploy this environment.",
  "settings/inventory-hint": "Id of a GitOps inventory: only what belongs to it is shown. Leave it empty to show everything.",
  "settings/load-again": "Load settings again",
  "settings/lines-copied": "Lines copied",
  "settings/copy-lines": "Copy lines",
  "settings/matches":
    "{count, plural, one {{count} resource matches} other {{count} resources match}}{has_kinds, select, no {} other {: {kinds}}}{has_more, select, no {} other { and {more} more kinds}}{has_shared, select, no {} other {; {shared}}}",
  "settings/matched-kind": "{count} {kind}",
  "settings/also-in":
    "{first, select, yes {{count} of them also {count, plural, one {belongs} other {belong}} to environment {environment}} other {{count} to {environment}}}",
  "settings/not-compared": "{count, plural, one {{count} more environment was} other {{count} more environments were}} not compared.",
  "settings/merge-request": "Make merge request",
  "settings/now-set": "Now set: {value}",
  "settings/now-empty": "Now set: nothing",
  "settings/name-hint": "Environments with a slash, such as review/login, are shown as a folder.",
  "settings/namespaces": "Namespaces",
  "settings/namespaces-hint": "Separate several by commas or spaces. Leave it empty to show all namespaces that you may read.",
  "settings/no-agent": "None",
  "settings/no-agents":
    "No agent is shared with the users of this project. An agent shares itself by user_access in its configuration file.",
  "settings/nothing-changed": "Nothing has changed.",
  "settings/open-commit": "Show commit",
  "settings/open-environment": "Open environment",
  "settings/offline": "Your browser is offline. What you have entered stays here.",
  "settings/outcome-conflict": "Conflict",
  "settings/outcome-done": "Saved",
  "settings/outcome-not-tried": "Not tried, because the other part was not saved",
  "settings/outcome-proposed": "Proposed",
  "settings/outcome-rejected": "Rejected",
  "settings/outcome-unchanged": "Nothing to change",
  "settings/project-hidden": "Its project is not visible to you",
  "settings/preview-failed": "The preview could not be loaded.",
  "settings/previewing": "Counting resources",
  "settings/results": "Result",
  "settings/save-rest": "Save the rest",
  "settings/saving": "Saving",
  "settings/scope": "What it shows",
  "settings/selector": "Label selector",
  "settings/selector-hint": "For example app=web,tier in (a, b). Leave it empty to show all objects.",
  "settings/stop": "Stop environment",
  "settings/stop-confirm": "Stops the environment in {product} and runs its stop job, if it has one.",
  "settings/stop-and-delete": "Stop and delete",
  "settings/tier": "Tier",
  "settings/tier-by-name": "By its name",
  "settings/unsaved": "You have unsaved changes.",
} as const satisfies Catalogue;
