import { wordList, wordPairs } from "./word-list.ts";

/** Last words of condition types that mean well when they are True. */
export const GOOD_TYPES = wordList(`
  available healthy synced synchronized accepted programmed established succeeded success applied ready deployed installed initialized
  initialised reconciled bound valid refs connected provisioned created configured resolved complete completed finished verified approved
  reachable attached running active online admitted issued reconciliation readiness up compliant scheduled generated joined updated
  released stored exists copied
`);

/** Two last words of the same. */
export const GOOD_PAIRS = wordList("to+date well+formed");

/** Words that mean ill when they are True, at any place of a type. */
export const BAD_TYPES = wordList(`
  failed failure failures failing fail error errors errored degraded conflict conflicts conflicted stalled terminal invalid unhealthy
  unavailable unready rejected denied unreachable broken missing expired corrupted pressure notready lost crashed blocked fallback
  misconfigured unschedulable violated violation aborted exceeded unstable unsynced
  offline drifted overloaded exhausted insufficient outage faulted faulty crashing dead
  stuck deadlocked hung unresponsive inaccessible disconnected
`);

/** Two words of the same, at any place: OutOfSync, NodeOutOfMemory. */
export const BAD_PAIRS = wordPairs("out+of");

/** Words of the same that mean ill only at the end of a type: DiskFull, not FullBackupTaken. */
export const BAD_ENDS = wordList("full down");

/** Two last words that end like those and only tell what was done: ScaledDown. */
export const INNOCENT_PAIRS = wordPairs(`
  scaled+down scale+down scaling+down cool+down cooled+down cooling+down spun+down spin+down spinning+down ramped+down ramp+down
  ramping+down powered+down shut+down shutting+down drill+down drain+down wound+down wind+down winding+down counted+down count+down in+full
`);

/** Last words of types that are True while there is work going on. */
export const BUSY_TYPES = wordList(`
  updating issuing progressing reconciling upgrading creating provisioning initializing initialising pending deleting scaling installing
  migrating restoring rolling restarting terminating deploying starting resizing rebalancing inprogress rollingupdate
`);

/** Two last words of the same. */
export const BUSY_PAIRS = wordList("in+progress rolling+update scaling+up scaling+down scaling+in scaling+out rolling+out");

/** Last words of types that mean, when True, that the object is paused. */
export const PAUSE_TYPES = wordList("paused suspended stopped hibernated hibernating halted");

/** Last words of types that are False for as long as the work lasts, so that False alone is no fault. */
export const END_TYPES = wordList("complete completed finished running active approved copied exists succeeded success");

/** Those of them that are False after the end only if it failed. */
export const OUTCOME_TYPES = wordList("succeeded success");

/** Words of a reason by which a busy condition says that the work is over. */
export const OVER_WORDS = wordList("available complete completed success succeeded successful finished finish done ready idle none stable");
