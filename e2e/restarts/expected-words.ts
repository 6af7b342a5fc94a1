import type { DeliveryTruth } from "./delivery-truth.ts";

/**
 * What can be known of a delivery. `reported`: a sync has ended and kas has its report. `last`: kas has none now, web has the last one. `restarted`:
 * agentk has begun anew and no sync has ended. `none`: neither kas nor web has a report.
 */
export type Knowledge = "reported" | "last" | "restarted" | "none";

/** How a sync is shown: a word, more of it, and whether it is dated as the last known one. */
export interface SyncWords {
  readonly word: string;
  readonly detail: string;
  readonly isOld: boolean;
}

/** What every screen has to say of one environment. */
export interface DeliveryWords {
  /** Begin of the applied commit, or what stands for it. */
  readonly version: string;
  readonly isVersionOld: boolean;
  readonly sync: SyncWords;
  /** Of the card; undefined: there is none. */
  readonly objects: string | undefined;
  /** The issue of the sync; empty: there is none. */
  readonly issue: string;
  readonly isIssueOld: boolean;
}

type Problem = "refused" | "held" | "drifted" | "none";

/** What is wrong, by Git and cluster. */
function problemOf({ isReadable, left, changed }: DeliveryTruth): Problem {
  if (!isReadable) return "refused";
  if (left > 0) return "held";
  return changed.length > 0 ? "drifted" : "none";
}

const REPORTED: Readonly<Record<Problem, (truth: DeliveryTruth) => readonly [word: string, detail: string]>> = {
  none: () => ["Synced", ""],
  refused: () => ["Not deployed", "invalid manifest"],
  held: () => ["Synced", "prune held"],
  drifted: ({ changed }) => ["Out of sync", changed.length === 1 ? "1 object" : `${changed.length} objects`],
};

const ISSUE: Readonly<Record<Problem, (project: string, truth: DeliveryTruth) => string>> = {
  none: () => "",
  refused: (project, { newest }) => `${project}: commit ${short(newest)} refused`,
  held: (project) => `${project}: prune held`,
  drifted: () => "",
};

/** The words for an environment that is deployed from `project`. */
export function expectedWords(project: string, truth: DeliveryTruth, knowledge: Knowledge): DeliveryWords {
  const problem = problemOf(truth);
  // A commit that cannot be read is refused anew by a process that knows nothing yet: there is no sync to wait for.
  const isOutcomeKnown = knowledge !== "restarted" || problem === "refused";
  const isOld = knowledge === "last";
  if (knowledge === "none") {
    const sync = { word: "Not known", detail: "The agent has not reported its syncs", isOld: false };
    return { version: "Deployment not known", isVersionOld: false, sync, objects: undefined, issue: "", isIssueOld: false };
  }
  const [word, detail] = isOutcomeKnown ? REPORTED[problem](truth) : ["Not known", "the agent has restarted, no sync has ended since"];
  const drifted = problem === "drifted" && isOutcomeKnown ? `, ${truth.changed.length} out of sync` : "";
  const issue = isOutcomeKnown ? ISSUE[problem](project, truth) : "";
  return {
    version: short(truth.applied),
    isVersionOld: isOld,
    sync: { word, detail, isOld },
    objects:
      problem === "refused"
        ? `${truth.objects} applied from ${short(truth.applied)}; ${short(truth.newest)} refused`
        : `${truth.objects}${drifted}`,
    issue,
    isIssueOld: isOld && issue !== "",
  };
}

/** What is false in events about delivery: a commit that there is not, an end that it cannot have had. Nothing failed in this world. */
export function falseEvents(events: readonly string[], { commits }: DeliveryTruth): readonly string[] {
  return events.filter((event) => {
    const [id = ""] = /\b[0-9a-f]{8}\b/.exec(event) ?? [];
    const found = [...commits].find(([commit]) => short(commit) === id);
    if (found === undefined || event.includes(" failed")) return true;
    const [, objects] = found;
    const [, ended] = / ended: (\d+) objects? in sync/.exec(event) ?? [];
    if (ended !== undefined) return Number(ended) !== objects;
    if (event.includes(" started")) return false;
    return (objects === undefined) !== event.includes(" refused");
  });
}

/** What events have to say once the agent has reported. */
export function expectedEvent({ isReadable, newest, applied }: DeliveryTruth): RegExp {
  return isReadable
    ? new RegExp(`^(?:Deployed ${short(applied)}|Sync of .* ended.*, commit ${short(applied)})`)
    : new RegExp(`^Commit ${short(newest)} .*refused: invalid manifests$`);
}

/** As screens show the id of a commit. */
export function short(commit: string): string {
  return commit.slice(0, 8);
}
