import type { Catalogue } from "../../catalogue.ts";

/** What `features/projects` says, as soon as the page is there. */
export const PAGE_PROJECTS = {
  "projects/all-projects": "All projects",
  "projects/changed": "Last change",
  "projects/counts":
    "{environments:one=# environment|other=# environments}[, {attention:one=# needs attention|other=# need attention}][, {issues:one=# issue|other=# issues}][, {down} of {workloads} workloads down][, health of {unknown} not known yet][, {outside} not visible to you][, as of {at}]",
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
