import { ACTION } from "./action.ts";
import { AUTOSCALING } from "./autoscaling.ts";
import { BATCH } from "./batch.ts";
import { CARD } from "./card.ts";
import { CERTIFICATE } from "./certificate.ts";
import { CHANGE } from "./change.ts";
import { CLUSTER } from "./cluster.ts";
import { CONTAINER } from "./container.ts";
import { CRASH } from "./crash.ts";
import { CREATION } from "./creation.ts";
import { CUSTOM_RESOURCE } from "./custom-resource.ts";
import { DELIVERY } from "./delivery.ts";
import { DETAIL } from "./detail.ts";
import { DETAIL_LABEL } from "./detail-label.ts";
import { DRAWER } from "./drawer.ts";
import { EDIT } from "./edit.ts";
import { EVENTS } from "./events.ts";
import { EXPORT } from "./export.ts";
import { FACT } from "./fact.ts";
import { FIND } from "./find.ts";
import { GITOPS } from "./gitops.ts";
import { HOLD } from "./hold.ts";
import { IMAGE } from "./image.ts";
import { JOB } from "./job.ts";
import { LIFE } from "./life.ts";
import { LIFECYCLE } from "./lifecycle.ts";
import { LIST } from "./list.ts";
import { LOGS } from "./logs.ts";
import { MANIFEST } from "./manifest.ts";
import { MENU } from "./menu.ts";
import { METRICS } from "./metrics.ts";
import { NETWORK } from "./network.ts";
import { NODE } from "./node.ts";
import { OWNERSHIP } from "./ownership.ts";
import { PAGE } from "./page.ts";
import { POD } from "./pod.ts";
import { PROBE } from "./probe.ts";
import { PROBLEM } from "./problem.ts";
import { REFERENCE } from "./reference.ts";
import { REQUEST } from "./request.ts";
import { RESOURCE } from "./resource.ts";
import { ROLL_UP } from "./roll-up.ts";
import { ROLLOUT } from "./rollout.ts";
import { SCALING } from "./scaling.ts";
import { SCHEDULING } from "./scheduling.ts";
import { SCOPE } from "./scope.ts";
import { SOURCE } from "./source.ts";
import { START } from "./start.ts";
import { STORAGE } from "./storage.ts";
import { TEAM_FILE } from "./team-file.ts";
import { TERMINAL } from "./terminal.ts";
import { TITLE } from "./title.ts";
import { TOOL_SYNC } from "./tool-sync.ts";
import { TRAFFIC } from "./traffic.ts";
import { USER_RULE } from "./user-rule.ts";
import { VERDICT } from "./verdict.ts";
import { VIEWS } from "./view/index.ts";
import { VOLUME } from "./volume.ts";
import { WORKLOAD } from "./workload.ts";
import { YAML } from "./yaml.ts";

/** Every message, in English. Another language is a folder like this one, with the same ids and values. `npm run gen` compiles it. */
export const ENGLISH_SOURCE = {
  ...ACTION,
  ...AUTOSCALING,
  ...BATCH,
  ...CARD,
  ...CERTIFICATE,
  ...CHANGE,
  ...CLUSTER,
  ...CONTAINER,
  ...CRASH,
  ...CREATION,
  ...CUSTOM_RESOURCE,
  ...DELIVERY,
  ...DETAIL,
  ...DETAIL_LABEL,
  ...DRAWER,
  ...EDIT,
  ...EVENTS,
  ...EXPORT,
  ...FACT,
  ...FIND,
  ...GITOPS,
  ...HOLD,
  ...IMAGE,
  ...JOB,
  ...LIFE,
  ...LIFECYCLE,
  ...LIST,
  ...LOGS,
  ...MANIFEST,
  ...MENU,
  ...METRICS,
  ...NETWORK,
  ...NODE,
  ...OWNERSHIP,
  ...PAGE,
  ...POD,
  ...PROBE,
  ...PROBLEM,
  ...REFERENCE,
  ...REQUEST,
  ...RESOURCE,
  ...ROLL_UP,
  ...ROLLOUT,
  ...SCALING,
  ...SCHEDULING,
  ...SCOPE,
  ...SOURCE,
  ...START,
  ...STORAGE,
  ...TEAM_FILE,
  ...TERMINAL,
  ...TITLE,
  ...TOOL_SYNC,
  ...TRAFFIC,
  ...USER_RULE,
  ...VERDICT,
  ...VIEWS,
  ...VOLUME,
  ...WORKLOAD,
  ...YAML,
} as const;

/** Ids of all messages. */
export type WordsId = keyof typeof ENGLISH_SOURCE;
