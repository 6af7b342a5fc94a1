import { wordList } from "./word-list.ts";

/** Names of switches that stop it when they are on. */
export const STOP_SWITCHES = wordList("suspend suspended paused pause stop stopped hibernate hibernated halt halted shutdown disabled");

/** Names of switches that stop it when they are off. */
export const RUN_SWITCHES = wordList("enabled enable running");

/** Names of fields of a spec whose text says whether it is to run. */
export const STATE_SWITCHES = wordList("runstrategy powerstate desiredstate desiredpowerstate desiredstatus state powerstatus");

/** Texts of such fields that stop it. */
export const STOP_TEXTS = wordList("halted stopped stop off poweredoff paused suspended hibernated hibernate shutdown disabled");

/** Words of names below which a switch may stand. */
export const SWITCH_PLACES = wordList("update rollout strategy rolling canary release");

/** Words of a reason that mean that the object is paused. */
export const PAUSE_WORDS = wordList("paused pause suspended suspend hibernated hibernating hibernation suspending");

/** Words of a reason that say that it goes on. */
export const RESUME_WORDS = wordList("resumed resume resuming unpaused unsuspended");
