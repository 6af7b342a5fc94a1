import type { HealthStatus } from "../../health-status.ts";
import { wordList } from "./word-list.ts";

/** What a state word means: the value of a field such as phase, without signs and in small letters. */
export const STATE_WORDS: readonly (readonly [HealthStatus, ReadonlySet<string>])[] = [
  [
    "Healthy",
    wordList(`
      ready running active healthy available bound succeeded success successful successfully complete completed deployed ok okay online up
      synced synchronized insync established provisioned created enabled connected valid applied installed green accepted approved
      readytouse done finished normal operational reconciled configured serving attached inuse released resolved passed pass compliant
      initialized initialised verified registered stable issued good open started loaded uptodate upgraded updated true on idle alive
      optimal functional joined stored optional exists latest known
    `),
  ],
  [
    "Degraded",
    wordList(`
      failed failure failing fail fails error errors errored degraded unhealthy crashed crashloopbackoff invalid lost red rejected denied
      aborted offline down broken unavailable fatal terminalerror stalled conflict unreachable noncompliant violated violation warning warn
      err critical expired inconsistent cancelled canceled timeout timedout exceeded corrupted corrupt faulted faulty dead disconnected
      misconfigured crashing bad unbound outage blocked evicted
    `),
  ],
  [
    "Progressing",
    wordList(`
      pending progressing inprogress waiting queued scheduled new notready unready init yellow upgrade update rollout partial
      notreconciled stale outofsync unsynced validated
    `),
  ],
  ["Suspended", wordList("suspended paused stopped hibernated hibernating halted shutdown poweredoff disabled inactive sleeping cordoned")],
  ["Unknown", wordList("unknown undefined unspecified indeterminate inconclusive")],
  ["Missing", wordList("missing notfound absent deleted gone")],
];

/** A name that ends in one of these words says how something is. */
export const STATE_KEYS = wordList("phase state status health stage condition robustness");

/** Names of the state of the whole inside a field that names a state: `status.health.overall`. */
export const WHOLE_KEYS = wordList("overall aggregate aggregated global current value color colour");

/** Names with one of these words describe another time, or the desired state. */
export const OTHER_TIMES = wordList("previous prev old former prior desired target expected wanted requested initial");
