import type { Catalogue } from "../catalogue.ts";

/** How well kinds, scopes and the way to a cluster are seen. Facts: count, most, resource, seconds, said. */
export const SOURCE = {
  "source/cannot-be-read": "{resource} cannot be read{has_said, select, no {} other {: {said}}}",
  "source/more-kinds": "the cluster has {count, plural, one {{count} more kind} other {{count} more kinds}} than are read of it",
  "source/no-place": "more is open at a time than is read for one person ({most} lists); close environments that you do not need",
  "source/no-watch": "the cluster does not let anybody watch this kind: it is listed once a minute",
  "source/none": "there was none of this kind: it is checked once a minute",
  "source/not-followed": "it has not been watched since then",
  "source/read-again": "everything is read again",
  "source/read-in-parts": "read again in each namespace",
  "source/too-large": "Its objects need more memory than this view may use",
  "source/too-many": "There are more objects than are shown of one kind",
  "source/watch-budget": "the agent carries no more watches: this kind is listed every {seconds} s",
  "source/watch-silent": "its watch sends no more events, and is opened again",
  "source/watch-refused": "you may list this kind but not watch it: it is listed once a minute",
  "summary/no-room": "There are more objects than may be held at a time",
  "summary/too-large": "There is more than is read only to be counted",
  "summary/whole-cluster": "It is the whole cluster",
  "way/agent-silent": "the agent does not answer",
  "way/waiting": "waiting for an answer",
} as const satisfies Catalogue;
