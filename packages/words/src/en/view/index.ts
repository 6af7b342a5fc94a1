import { VIEW_ACTIONS } from "./actions.ts";
import { VIEW_EDIT } from "./edit.ts";
import { VIEW_ENVIRONMENT } from "./environment.ts";
import { VIEW_ENVIRONMENTS } from "./environments.ts";
import { VIEW_EXPORT } from "./export.ts";
import { VIEW_FILTER } from "./filter.ts";
import { VIEW_GITOPS } from "./gitops.ts";
import { VIEW_HOLD } from "./hold.ts";
import { VIEW_KEYS } from "./keys.ts";
import { VIEW_LOGS } from "./logs.ts";
import { VIEW_PAGE_TOOLS } from "./page-tools.ts";
import { VIEW_PALETTE } from "./palette.ts";
import { VIEW_PROJECTS } from "./projects.ts";
import { VIEW_RESOURCE } from "./resource.ts";
import { VIEW_RESOURCE_DETAIL } from "./resource-detail.ts";
import { VIEW_RESOURCE_GRAPH } from "./resource-graph.ts";
import { VIEW_RESOURCE_LIST } from "./resource-list.ts";
import { VIEW_SAVED_VIEWS } from "./saved-views.ts";
import { VIEW_SESSION } from "./session.ts";
import { VIEW_UI } from "./ui.ts";
import { VIEW_WHY } from "./why.ts";

/** What the rest of the pages says: it comes with the whole language. */
export const VIEWS = {
  ...VIEW_ACTIONS,
  ...VIEW_EDIT,
  ...VIEW_ENVIRONMENT,
  ...VIEW_ENVIRONMENTS,
  ...VIEW_EXPORT,
  ...VIEW_FILTER,
  ...VIEW_GITOPS,
  ...VIEW_HOLD,
  ...VIEW_KEYS,
  ...VIEW_LOGS,
  ...VIEW_PAGE_TOOLS,
  ...VIEW_PALETTE,
  ...VIEW_PROJECTS,
  ...VIEW_RESOURCE,
  ...VIEW_RESOURCE_DETAIL,
  ...VIEW_RESOURCE_GRAPH,
  ...VIEW_RESOURCE_LIST,
  ...VIEW_SAVED_VIEWS,
  ...VIEW_SESSION,
  ...VIEW_UI,
  ...VIEW_WHY,
} as const;
