import { PAGE_AGENTS } from "./agents.ts";
import { PAGE_DYNAMIC_ENVIRONMENTS } from "./dynamic-environments.ts";
import { PAGE_ENVIRONMENT } from "./environment.ts";
import { PAGE_ENVIRONMENTS } from "./environments.ts";
import { PAGE_EXPORT } from "./export.ts";
import { PAGE_FRAME } from "./frame.ts";
import { PAGE_GITOPS } from "./gitops.ts";
import { PAGE_KEYBOARD } from "./keyboard.ts";
import { PAGE_OVERVIEW } from "./overview.ts";
import { PAGE_RESOURCE_DETAIL } from "./resource-detail.ts";
import { PASSWORD_SIGN_IN } from "./standalone.ts";
import { PAGE_SETTINGS } from "./settings.ts";
import { PAGE_WHY } from "./why.ts";

/** The messages that a page shows before the rest of the language is loaded: they come in its HTML, so they are few. */
export const PAGE = {
  ...PAGE_AGENTS,
  ...PAGE_DYNAMIC_ENVIRONMENTS,
  ...PAGE_ENVIRONMENT,
  ...PAGE_ENVIRONMENTS,
  ...PAGE_EXPORT,
  ...PAGE_FRAME,
  ...PAGE_GITOPS,
  ...PAGE_KEYBOARD,
  ...PAGE_OVERVIEW,
  ...PAGE_RESOURCE_DETAIL,
  ...PASSWORD_SIGN_IN,
  ...PAGE_SETTINGS,
  ...PAGE_WHY,
} as const;

/** Ids of the messages in the HTML of a page. */
export type PageWordsId = keyof typeof PAGE;
