import type { Catalogue } from "../../catalogue.ts";

/** What `features/projects` says, as soon as the page is there. */
export const PAGE_PROJECTS = {
  "projects/all-projects": "All projects",
  "projects/changed": "Last change",
  "projects/counts":
    "{environments, plural, one {{environments} environment} other {{environments} environments}}{has_attention, select, no {} other {, {attention, plural, one {{attention} needs attention} other {{attention} need attention}}}}{has_issues, select, no {} other {, {issues, plural, one {{issues} issue} other {{issues} issues}}}}{has_down, select, no {} other {{has_workloads, select, no {} other {, {down} of {workloads} workloads down}}}}{has_unknown, select, no {} other {, health of {unknown} not known yet}}{has_outside, select, no {} other {, {outside} not visible to you}}{has_at, select, no {} other {, as of {at}}}",
  "projects/no-environments": "No environments",
  "projects/not-known-yet": "Not known yet",
  "projects/nothing-visible": "Not visible to you",
  "projects/show-more": "Show more ({count})",
  "projects/sorted-by-need": "Sorted by workloads that are down, then severity, then newest change",
  "projects/sorted-when-all": "Sorted when all are known",
  "projects/loading-projects": "Loading projects",
  "projects/nothing-you-may": "Nothing that you may see is called {path}: no project of yours, and no group with one.",
  "projects/projects": "Projects",
  "projects/projects-could-not": "The projects could not be loaded.",
  "projects/projects-in": "Projects in {path}",
  "projects/try-again": "Try again",
  "projects/you-not-member": "You are not a member of any project.",
} as const satisfies Catalogue;
