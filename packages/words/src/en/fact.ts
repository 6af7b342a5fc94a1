import type { Catalogue } from "../catalogue.ts";

/**
 * The one decisive fact on a card, short enough for one line. Facts: count, also as "1/3"; names of things; `why` and `more`, which are
 * names or one of these.
 */
export const FACT = {
  "fact/active": "{count} active",
  "fact/all-hosts": "all hosts",
  "fact/all-pods": "all pods[ · {directions}]",
  "fact/budget": "{count} healthy · {free} may go",
  "fact/done": "{count} done[ · {more}]",
  "fact/failed": "failed[ · {why}]",
  "fact/headless": "Headless",
  "fact/host": "{host}[ +{more}]",
  "fact/is-ready": "Ready",
  "fact/keys": "{count:one=# key|other=# keys}",
  "fact/name": "{name}",
  "fact/no-endpoints": "0 endpoints",
  "fact/not-ready": "not ready[ · {why}]",
  "fact/paused": "paused",
  "fact/ready": "{count} ready[ · {why}]",
  "fact/replicas": "{count:one=# replica|other=# replicas} · {range}",
  "fact/restarts": "{count:one=# restart|other=# restarts}",
  "fact/schedule": "{schedule}[ · {more}]",
  "fact/service": "{type}[ :{ports}][ · {endpoints}]",
  "fact/some-pods": "some pods[ · {directions}]",
  "fact/suspended": "suspended",
  "fact/volume": "{size}[ · {phase}]",
} as const satisfies Catalogue;
