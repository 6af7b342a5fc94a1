import { words, type Facts, type Words, type WordsId } from "@binnacle/words";

import type { IssueGroup } from "./issue-groups.ts";
import { ROWS, type RowId } from "./why/rows.ts";

/** Rows that repeat what the cluster or another rule reports: the reason is all that is known in few words. */
type QuotingRow = "resource/condition" | "resource/field" | "resource/own" | "rollout/unwell";
type TitledRow = Exclude<RowId, QuotingRow>;

const QUOTING: ReadonlySet<string> = new Set<QuotingRow>(["resource/condition", "resource/field", "resource/own", "rollout/unwell"]);
const TITLED: ReadonlySet<string> = new Set(
  Object.entries(ROWS).flatMap(([family, rows]) => Object.keys(rows).map((row) => `${family}/${row}`)),
);

/** Reasons of verdicts and of resources that no row explains. */
const OF_REASON: Readonly<Record<string, WordsId>> = {
  CrashLoopBackOff: "title/reason/crash",
  ErrImagePull: "title/reason/image",
  Failed: "title/reason/failed",
  ImagePullBackOff: "title/reason/image",
  NodeLost: "title/reason/node",
  NodeNotReady: "title/reason/node",
  NotFound: "title/reason/absent",
  NotObserved: "title/reason/unobserved",
  NotReady: "title/reason/not-ready",
  NotScheduled: "title/reason/not-scheduled",
  OldReplicas: "title/reason/old-replicas",
  Pending: "title/reason/pending",
  PodUnknown: "title/reason/state",
  ProgressDeadlineExceeded: "title/reason/stalled",
  RolloutInProgress: "title/reason/rolling-out",
  RuleFailed: "title/reason/rule",
  Terminating: "title/reason/terminating",
  Unavailable: "title/reason/unavailable",
  UnknownPhase: "title/reason/phase",
};

/**
 * What an issue is called in few words, to follow the names of its resources: "readiness probe has not passed yet". A reason that only the cluster
 * or a custom resource knows is quoted.
 */
export function issueTitle({ reason, message }: Pick<IssueGroup, "reason" | "message">): Words {
  if (isTitled(message.id)) return words(`title/${message.id}`, namesIn(message.facts));
  return words(Object.hasOwn(OF_REASON, reason) ? (OF_REASON[reason] ?? OTHER) : OTHER, { reason });
}

const OTHER = "title/reason/other";

/** The facts that titles name; the others may be as long as a message of the cluster. */
function namesIn(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => NAMES.has(name)));
}

const NAMES: ReadonlySet<string> = new Set(["backend", "key", "kind", "name"]);

function isTitled(id: string): id is TitledRow {
  return TITLED.has(id) && !QUOTING.has(id);
}
