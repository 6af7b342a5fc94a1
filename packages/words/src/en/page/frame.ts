import type { Catalogue } from "../../catalogue.ts";

/** Titles of documents, and what stands in the place of a page, as soon as the page is there. */
export const PAGE_FRAME = {
  "frame/environments-of": "Environments of {projectPath}",
  "frame/error": "Error",
  "frame/error-binnacle": "Error · Binnacle",
  "frame/nothing-you-may": "Nothing that you may see is called so: no project of yours, and no group with one.",
  "frame/projects-in": "Projects in {path}",
  "frame/the-dashboard": "The dashboard",
  "frame/the-sign-in": "The sign-in",
  "frame/there-no-such": "There is no such page.",
  "frame/this-page": "This page",
  "frame/this-view": "This view",
  "frame/environment": "{environment}, {project}",
  "frame/terminal-of": "Terminal of {pod} · ",
  "frame/projects": "Projects",
  "frame/sign-in": "Sign in",
  "frame/description": "What an environment deploys, live.",
} as const satisfies Catalogue;
