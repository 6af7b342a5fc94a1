import type { Catalogue } from "../catalogue.ts";

/**
 * What is said about delivery by the server: why a member is not known, issues of syncs, and entries of the history. Facts: project of manifests,
 * short id of a commit, counts, and sentences that were said before.
 */
export const DELIVERY = {
  "delivery/not-asked-yet": "Not known yet",
  "delivery/deployment-not-readable": "The main application could not tell it now",
  "delivery/deployment-not-supported": "This version of the main application does not tell deployments",
  "delivery/tools-not-known": "Whether Flux or Argo CD deploys here is shown on the page of the environment",
  "delivery/tool-state-not-known": "Objects are marked as applied by {kind} {place}, whose state is not known",
  "delivery/tool-names-no-commit": "Another tool deploys here and names no commit",
  "delivery/no-full-commit": "No commit is known to have been applied in full",
  "delivery/no-inventory-reported": "The agent has reported no inventory",
  "delivery/drift-not-compared": "Not compared",
  "delivery/drift-view-stale": "The view of the cluster is not current",
  "delivery/drift-not-reported": "The agent has not reported what it applied",
  "delivery/kas-does-not-tell": "The agent server (kas) does not support reports of syncs",
  "delivery/no-visible-agent": "No agent of this environment is visible to you",
  "delivery/kas-unreachable": "The agent server (kas) is unreachable",
  "delivery/agent-not-reported": "The agent has not reported its syncs",
  "sync-issue/commits": "{count, plural, one {{count} commit} other {{count} commits}}",
  "sync-issue/more-commits": "{count}+ commits",
  "sync-issue/waiting": "{count} not deployed",
  "sync-issue/waiting-of": "{count} of {authors} not deployed",
  "sync-issue/refused": "{project}: commit{has_commit, select, no {} other { {commit}}} refused",
  "sync-issue/refused-why": "{has_waiting, select, no {} other {{waiting}: }}{why}",
  "sync-issue/files-not-readable": "The manifests are invalid. What is wrong is shown to readers of the project.",
  "sync-issue/fix-files": "Correct the file and push it.",
  "sync-issue/failed": "{project}: sync{has_commit, select, no {} other { of {commit}}} failed",
  "sync-issue/failed-why": "{has_waiting, select, no {} other {{waiting}: }}{why}",
  "sync-issue/failed-objects": "{failed} of {objects} objects not applied{has_waiting, select, no {} other {; {waiting}}}: {why}",
  "sync-issue/no-reason": "no reason was reported",
  "sync-issue/object": "{object}{has_where, select, no {} other { ({where})}}: {reason}",
  "sync-issue/held": "{project}: prune held",
  "sync-issue/consent": "Consent to the prune, or restore the files.",
  "sync-issue/source": "{project}: no newer commits",
  "sync-issue/no-branch": "The default branch or the repository is gone, or has no commit. What was applied stays.",
  "sync-issue/repository-not-readable": "The repository cannot be read now. What was applied stays.",
  "sync-issue/last-known": "Last known: {what}",
  "delivery-event/deployed":
    "Deployed {commit}{has_author, select, no {} other { of {author}}}{has_title, select, no {} other {: {title}}}",
  "delivery-event/sync-started": "Sync of {project} started, commit {commit}{has_author, select, no {} other { of {author}}}",
  "delivery-event/synced":
    "Sync of {project} ended: {objects} {objects, plural, one {object} other {objects}} in sync, commit {commit}{has_author, select, no {} other { of {author}}}",
  "delivery-event/sync-failed":
    "Sync of {project} failed{has_failed, select, no {} other {{has_objects, select, no {} other {: {failed} of {objects} objects not applied}}}}, commit {commit}{has_author, select, no {} other { of {author}}}",
  "delivery-event/sync-refused":
    "Commit{has_commit, select, no {} other { {commit}}}{has_author, select, no {} other { of {author}}} of {project} refused: invalid manifests",
  "delivery-event/sync-interrupted":
    "Sync of {project} interrupted by a newer commit, commit {commit}{has_author, select, no {} other { of {author}}}",
  "delivery-event/sync-ended": "Sync of {project} ended, commit {commit}{has_author, select, no {} other { of {author}}}",
} as const satisfies Catalogue;
