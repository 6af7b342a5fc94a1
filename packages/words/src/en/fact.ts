import type { Catalogue } from "../catalogue.ts";

/**
 * The one decisive fact on a card, short enough for one line. Facts: count, also as "1/3"; names of things; `why` and `more`, which are
 * names or one of these.
 */
export const FACT = {
  "fact/active": "{count} active",
  "fact/all-hosts": "all hosts",
  "fact/all-pods": "all pods{has_directions, select, no {} other { · {directions}}}",
  "fact/budget": "{count} healthy · {free} may go",
  "fact/done": "{count} done{has_more, select, no {} other { · {more}}}",
  "fact/failed": "failed{has_why, select, no {} other { · {why}}}",
  "fact/headless": "Headless",
  "fact/host": "{host}{has_more, select, no {} other { +{more}}}",
  "fact/is-ready": "Ready",
  "fact/keys": "{count, plural, one {{count} key} other {{count} keys}}",
  "fact/name": "{name}",
  "fact/no-endpoints": "0 endpoints",
  "fact/not-ready": "not ready{has_why, select, no {} other { · {why}}}",
  "fact/paused": "paused",
  "fact/ready": "{count} ready{has_why, select, no {} other { · {why}}}",
  "fact/replicas": "{count, plural, one {{count} replica} other {{count} replicas}} · {range}",
  "fact/restarts": "{count, plural, one {{count} restart} other {{count} restarts}}",
  "fact/schedule": "{schedule}{has_more, select, no {} other { · {more}}}",
  "fact/service": "{type}{has_ports, select, no {} other { :{ports}}}{has_endpoints, select, no {} other { · {endpoints}}}",
  "fact/some-pods": "some pods{has_directions, select, no {} other { · {directions}}}",
  "fact/suspended": "suspended",
  "fact/volume": "{size}{has_phase, select, no {} other { · {phase}}}",
} as const satisfies Catalogue;
