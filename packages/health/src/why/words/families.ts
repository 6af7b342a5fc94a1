import { AUTOSCALING_WORDS } from "./autoscaling-words.ts";
import { CRASH_WORDS } from "./crash-words.ts";
import { CREATION_WORDS } from "./creation-words.ts";
import { IMAGE_WORDS } from "./image-words.ts";
import { JOB_WORDS } from "./job-words.ts";
import { LIFECYCLE_WORDS } from "./lifecycle-words.ts";
import { NETWORK_WORDS } from "./network-words.ts";
import { NODE_WORDS } from "./node-words.ts";
import { PROBE_WORDS } from "./probe-words.ts";
import { REFERENCE_WORDS } from "./reference-words.ts";
import { RESOURCE_WORDS } from "./resource-words.ts";
import { ROLLOUT_WORDS } from "./rollout-words.ts";
import { SCHEDULING_WORDS } from "./scheduling-words.ts";
import { START_WORDS } from "./start-words.ts";
import { STORAGE_WORDS } from "./storage-words.ts";
import type { WordTable } from "./words.ts";

/** Every sentence and next step of the why-chain and of notices: UI, API and tests use these words and no others. */
export const FAMILIES = {
  crash: CRASH_WORDS,
  image: IMAGE_WORDS,
  start: START_WORDS,
  probe: PROBE_WORDS,
  scheduling: SCHEDULING_WORDS,
  creation: CREATION_WORDS,
  reference: REFERENCE_WORDS,
  job: JOB_WORDS,
  network: NETWORK_WORDS,
  autoscaling: AUTOSCALING_WORDS,
  storage: STORAGE_WORDS,
  lifecycle: LIFECYCLE_WORDS,
  node: NODE_WORDS,
  rollout: ROLLOUT_WORDS,
  resource: RESOURCE_WORDS,
} as const satisfies Readonly<Record<string, WordTable>>;

/** Name of a family of reasons. */
export type Family = keyof typeof FAMILIES;

/** Id of a row of a family. */
export type Row<F extends Family> = keyof (typeof FAMILIES)[F] & string;
