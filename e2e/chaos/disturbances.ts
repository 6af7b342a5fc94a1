import { clockSkew } from "./disturbances/clock-skew.ts";
import { fewDescriptors } from "./disturbances/few-descriptors.ts";
import { fullDisk } from "./disturbances/full-disk.ts";
import { halfOpenNetwork } from "./disturbances/half-open-network.ts";
import { killedKas } from "./disturbances/killed-kas.ts";
import { noNames } from "./disturbances/no-names.ts";
import { smallHeap } from "./disturbances/small-heap.ts";
import type { Disturbance } from "./disturbance.ts";

/** In the order in which they run. */
export const DISTURBANCES: readonly Disturbance[] = [halfOpenNetwork, killedKas, fewDescriptors, clockSkew, fullDisk, smallHeap, noNames];
