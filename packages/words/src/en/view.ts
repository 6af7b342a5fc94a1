import { VIEW_ACTIONS } from "./actions.ts";
import { VIEW_AGENTS } from "./agents.ts";
import { VIEW_EDIT } from "./edit.ts";
import { VIEW_ENVIRONMENT } from "./environment.ts";
import { VIEW_ENVIRONMENTS } from "./environments.ts";
import { VIEW_EXPORT } from "./export.ts";
import { VIEW_FRAME } from "./frame.ts";
import { VIEW_GITOPS } from "./gitops.ts";
import { VIEW_KEYBOARD } from "./keyboard.ts";
import { VIEW_LOGS } from "./logs.ts";
import { VIEW_RESOURCE_DETAIL } from "./resource-detail.ts";
import { VIEW_RESOURCE_GRAPH } from "./resource-graph.ts";
import { VIEW_RESOURCE_LIST } from "./resource-list.ts";
import { VIEW_WHY } from "./why.ts";

/** The other messages that pages show by themselves, loaded with the rest of the language. */
export const VIEWS = {
  ...VIEW_ACTIONS,
  ...VIEW_AGENTS,
  ...VIEW_EDIT,
  ...VIEW_ENVIRONMENT,
  ...VIEW_ENVIRONMENTS,
  ...VIEW_EXPORT,
  ...VIEW_FRAME,
  ...VIEW_GITOPS,
  ...VIEW_KEYBOARD,
  ...VIEW_LOGS,
  ...VIEW_RESOURCE_DETAIL,
  ...VIEW_RESOURCE_GRAPH,
  ...VIEW_RESOURCE_LIST,
  ...VIEW_WHY,
} as const;
