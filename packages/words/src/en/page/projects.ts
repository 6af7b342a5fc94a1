import type { Catalogue } from "../../catalogue.ts";

/** What `features/projects` says, as soon as the page is there. */
export const PAGE_PROJECTS = {
  "projects/all-projects": "All projects",
  "projects/loading-projects": "Loading projects",
  "projects/nothing-you-may": "Nothing that you may see is called {path}: no project of yours, and no group with one.",
  "projects/projects": "Projects",
  "projects/projects-could-not": "The projects could not be loaded.",
  "projects/projects-in": "Projects in {path}",
  "projects/try-again": "Try again",
  "projects/you-not-member": "You are not a member of any project.",
} as const satisfies Catalogue;
