import type { Catalogue } from "../../catalogue.ts";

/** What `features/environments` says, once it is loaded. */
export const VIEW_ENVIRONMENTS = {
  "environments/all-environments-project": "All environments of the project",
  "environments/and-more-in": "… and {count} more in {name}:",
  "environments/issue-as-of": "as of {at}",
  "environments/find-issues": "Find issues",
  "environments/new-in-last": "New in the last hour {fresh}",
  "environments/no-issue-matches": "No issue matches. {count} hidden by filters.",
  "environments/of-issues": "{shown} of {total} issues",
  "environments/open-the-environment": "open the environment",
  "environments/issue-resources": "{count, plural, one {{count} resource} other {{count} resources}}",
  "environments/since": "since {at}",
  "environments/since-not-known": "since: not known",
} as const satisfies Catalogue;
