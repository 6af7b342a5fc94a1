import { wordList } from "./word-list.ts";

/** Words of a reason, a message or a state that say that it takes time. */
export const PROGRESS_WORDS = wordList(`
  pending waiting waits wait progressing progress inprogress requeue requeued retry queued scheduled started yet unknown
  starting stopping creating deleting updating upgrading provisioning reconciling initializing initialising terminating
`);

/** Words that end in "ing" and say nothing about work that goes on. */
export const NOT_DOING = wordList(`
  missing
  nothing warning failing crashing erroring existing conflicting string something anything everything thing king bring spring ring
  ping setting mapping networking
`);

/** Words of which a reason is made that only says "not so", so that others must say why. */
export const REPEATING_WORDS = wordList(`
  ready available complete completed finished done running active healthy initialized initialised synced reconciled created bound
  provisioned up satisfied met observed
`);

/** The same in one word. */
export const REPEATING_OPPOSITES = wordList("unready unavailable notready incomplete false unfinished inactive unsynced");
