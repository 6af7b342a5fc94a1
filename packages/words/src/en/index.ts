import { ACTIONS } from "./actions.ts";
import { AGENTS } from "./agents.ts";
import { EDIT } from "./edit.ts";
import { ENVIRONMENT } from "./environment.ts";
import { EVENTS } from "./events.ts";
import { EXPORT } from "./export.ts";
import { FRAME } from "./frame.ts";
import { GITOPS } from "./gitops.ts";
import { HEALTH_CONTAINERS } from "./health-containers.ts";
import { HEALTH_NETWORK } from "./health-network.ts";
import { HEALTH_RESOURCES } from "./health-resources.ts";
import { HEALTH_SCHEDULING } from "./health-scheduling.ts";
import { HEALTH_STORAGE } from "./health-storage.ts";
import { HEALTH_TITLES } from "./health-titles.ts";
import { HEALTH_WORKLOADS } from "./health-workloads.ts";
import { KAS } from "./kas.ts";
import { LOGS } from "./logs.ts";
import { MAIN_APPLICATION } from "./main-application.ts";
import { METRICS } from "./metrics.ts";
import { OVERVIEW } from "./overview.ts";
import { PAGE } from "./page.ts";
import { REQUESTS } from "./requests.ts";
import { RESOURCE_DETAIL } from "./resource-detail.ts";
import { RESOURCE_DETAIL_FACTS } from "./resource-detail-facts.ts";
import { RESOURCE_GRAPH } from "./resource-graph.ts";
import { RESOURCE_LIST } from "./resource-list.ts";
import { STANDALONE } from "./standalone.ts";
import { SETTINGS } from "./settings.ts";
import { SIGN_IN } from "./sign-in.ts";
import { TERMINAL } from "./terminal.ts";
import { VIEWS } from "./view.ts";

/** Every message, in English. Another language is a folder like this one, with the same ids and values. `npm run gen` compiles it. */
export const ENGLISH_SOURCE = {
  ...ACTIONS,
  ...AGENTS,
  ...EDIT,
  ...ENVIRONMENT,
  ...EVENTS,
  ...EXPORT,
  ...FRAME,
  ...GITOPS,
  ...HEALTH_CONTAINERS,
  ...HEALTH_NETWORK,
  ...HEALTH_RESOURCES,
  ...HEALTH_SCHEDULING,
  ...HEALTH_STORAGE,
  ...HEALTH_TITLES,
  ...HEALTH_WORKLOADS,
  ...KAS,
  ...LOGS,
  ...MAIN_APPLICATION,
  ...METRICS,
  ...OVERVIEW,
  ...REQUESTS,
  ...RESOURCE_DETAIL,
  ...RESOURCE_DETAIL_FACTS,
  ...RESOURCE_GRAPH,
  ...RESOURCE_LIST,
  ...STANDALONE,
  ...SETTINGS,
  ...SIGN_IN,
  ...TERMINAL,
  ...PAGE,
  ...VIEWS,
} as const;

/** Ids of all messages. */
export type WordsId = keyof typeof ENGLISH_SOURCE;
