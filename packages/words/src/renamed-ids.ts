import type { WordsId } from "./en/index.ts";

/** Ids that the previous release sends, and the ids that replace them. An entry is removed one release after it is added. */
export const RENAMED_IDS: Readonly<Record<string, WordsId>> = {
  "delivery/kas-does-not-tell": "delivery/reports-not-supported",
  "detail/duration-seconds": "detail/seconds",
  "detail/nobody": "detail/no-subjects",
  "gitops/not-told": "gitops/no-agent-report",
  "problem/no-resources/all-namespaces": "environment/all-namespaces",
  "sync-issue/failed-why": "sync-issue/cause",
  "sync-issue/refused-why": "sync-issue/cause",
};
