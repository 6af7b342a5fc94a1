import { PAGE_ENVIRONMENT } from "./environment.ts";
import { PAGE_ENVIRONMENTS } from "./environments.ts";
import { PAGE_EXPORT } from "./export.ts";
import { PAGE_FAVOURITES } from "./favourites.ts";
import { PAGE_FRAME } from "./frame.ts";
import { PAGE_GITOPS } from "./gitops.ts";
import { PAGE_LIVE } from "./live.ts";
import { PAGE_PALETTE } from "./palette.ts";
import { PAGE_PROJECTS } from "./projects.ts";
import { PAGE_RESOURCE_DETAIL } from "./resource-detail.ts";
import { PAGE_SESSION } from "./session.ts";
import { PAGE_UI } from "./ui.ts";
import { PAGE_WHY } from "./why.ts";

/** What pages say by themselves, as soon as they are there: it comes in their HTML. */
export const PAGES = {
  ...PAGE_ENVIRONMENT,
  ...PAGE_ENVIRONMENTS,
  ...PAGE_EXPORT,
  ...PAGE_FAVOURITES,
  ...PAGE_FRAME,
  ...PAGE_GITOPS,
  ...PAGE_LIVE,
  ...PAGE_PALETTE,
  ...PAGE_PROJECTS,
  ...PAGE_RESOURCE_DETAIL,
  ...PAGE_SESSION,
  ...PAGE_UI,
  ...PAGE_WHY,
} as const;
