import { boundedWords } from "@binnacle/health";
import { HealthStatus, IssueGroupSchema, type IssueGroup } from "@binnacle/proto/dashboard";
import { GitopsSourceProblem, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { timeField } from "@binnacle/proto/wire-values";
import { toWordsMessage } from "@binnacle/proto/words";
import { encodeKey } from "@binnacle/kube";
import { quoted, words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import type { ShownSync } from "./agent-syncs.ts";
import type { Member, SyncValue } from "./delivery.ts";
import { valueOf } from "./delivery.ts";

/** Of an environment. */
const MAX_ISSUES = 20;
/** Longest reason that is quoted, in characters. */
const QUOTING = { max: 500, oneLine: true } as const;

/** What is wrong with a sync. */
interface SyncProblem {
  /** Stable word. */
  readonly reason: string;
  readonly isNotice: boolean;
  readonly title: Words;
  readonly words: Words;
  readonly next?: Words;
}

/** Syncs that failed, are held or get no newer commits, worst first. What is not known since the agent's restart is no issue. */
export function deliveryIssues(sync: Member<SyncValue>): readonly IssueGroup[] {
  const syncs = valueOf(sync)?.syncs ?? [];
  // While kas is away that is so of all of them.
  const isLast = sync.state === "unknown" && sync.asOfMs !== undefined;
  const issues = syncs.flatMap((each) => {
    const isRetained = isLast || each.retainedAsOfMs !== undefined;
    return problemsOf(each).map((problem) => issueOf(each, problem, isRetained));
  });
  return issues.toSorted((a, b) => Number(a.notice) - Number(b.notice)).slice(0, MAX_ISSUES);
}

/** @param isRetained the agent's report is not there any more: it is the last one that was read */
function issueOf(sync: ShownSync, { reason, isNotice, title, words: sentence, next }: SyncProblem, isRetained: boolean): IssueGroup {
  const sinceMs = sync.finishedAtMs ?? sync.startedAtMs;
  const text = isRetained ? words("sync-issue/last-known", { what: sentence }) : sentence;
  const sent = (each: Words) => toWordsMessage(boundedWords(each, QUOTING));
  return create(IssueGroupSchema, {
    key: JSON.stringify(["sync", sync.project, reason]),
    status: isNotice ? HealthStatus.HEALTHY : HealthStatus.DEGRADED,
    reason,
    title: sent(title),
    words: sent(text),
    ...(next && { next: sent(next) }),
    notice: isNotice,
    ...timeField("since", sinceMs),
  });
}

function problemsOf(sync: ShownSync): readonly SyncProblem[] {
  const outcome = sync.isOutcomeUnknown ? undefined : outcomeProblem(sync);
  const held = sync.isOutcomeUnknown || sync.pruneHeld === "" ? undefined : heldProblem(sync);
  return [outcome, held, sourceProblem(sync)].filter((each) => each !== undefined);
}

function outcomeProblem(sync: ShownSync): SyncProblem | undefined {
  const { project, state, failed, objects } = sync;
  const commit = (sync.commit?.sha ?? sync.sha).slice(0, 8);
  const waiting = waitingWords(sync);
  if (state === GitopsSyncState.INVALID) {
    const invalid = sync.report?.invalid || sync.reason;
    return {
      reason: "SyncRefused",
      isNotice: false,
      title: words("sync-issue/refused", { project, commit }),
      words: words("sync-issue/cause", { waiting, why: invalid === "" ? words("sync-issue/files-not-readable") : quoted(invalid) }),
      next: words("sync-issue/fix-files"),
    };
  }
  if (state !== GitopsSyncState.FAILED && failed === 0) return undefined;
  const first = firstFailure(sync);
  const why = first ?? (sync.reason === "" ? words("sync-issue/no-reason") : quoted(sync.reason));
  return {
    reason: "SyncFailed",
    isNotice: false,
    title: words("sync-issue/failed", { project, commit }),
    words:
      failed === 0 ? words("sync-issue/cause", { waiting, why }) : words("sync-issue/failed-objects", { failed, objects, waiting, why }),
  };
}

function heldProblem(sync: ShownSync): SyncProblem {
  return {
    reason: "PruneHeld",
    isNotice: true,
    title: words("sync-issue/held", { project: sync.project }),
    words: quoted(sync.pruneHeld),
    next: words("sync-issue/consent"),
  };
}

function sourceProblem({ project, sourceProblem: problem }: ShownSync): SyncProblem | undefined {
  if (problem !== GitopsSourceProblem.NO_COMMIT && problem !== GitopsSourceProblem.UNREADABLE) return undefined;
  const id = problem === GitopsSourceProblem.NO_COMMIT ? "sync-issue/no-branch" : "sync-issue/repository-not-readable";
  return { reason: "SourceUnavailable", isNotice: true, title: words("sync-issue/source", { project }), words: words(id) };
}

/** "2 commits wait, of Nina and Otto", "100+ commits wait"; nothing while that is not known, or none waits. */
function waitingWords({ waiting, report }: ShownSync): Words | undefined {
  if (waiting === undefined || waiting.count === 0) return undefined;
  const authors = report?.waitingAuthors ?? [];
  const count = waiting.hasMore
    ? words("sync-issue/more-commits", { count: waiting.count })
    : words("sync-issue/commits", { count: waiting.count });
  return authors.length === 0
    ? words("sync-issue/waiting", { count })
    : words("sync-issue/waiting-of", { count, authors: authors.slice(0, 3).join(", ") });
}

/** "Deployment shop/web (20-web.yaml:13): image: Invalid value". */
function firstFailure({ details, report }: ShownSync): Words | undefined {
  const failure = details?.failures.find(({ drifted }) => !drifted);
  if (failure === undefined) return undefined;
  const { kind, namespace, name, reason } = failure;
  const object = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
  const location = report?.places.get(encodeKey(failure));
  const line = (location?.fieldLine || location?.line) ?? 0;
  const where = location === undefined ? "" : `${location.path}${line === 0 ? "" : `:${line}`}`;
  return words("sync-issue/object", { object, where, reason: reason === "" ? words("sync-issue/no-reason") : quoted(reason) });
}
