import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { everyWords } from "../text/every-words.ts";
import { formatClock, formatSecond } from "../text/format-time.ts";
import { messageText, t } from "../text/messages.ts";
import { words } from "@binnacle/words";
import { isProblem } from "../health/health-status.ts";
import { asOfMsOf, everyMsOf, type OldReason, type RowKnowledge } from "./row-knowledge.ts";
import { isForbidden } from "./row-order.ts";

/** A row and how well it is known. */
export interface KnownRow {
  readonly row: EnvironmentRow;
  readonly knowledge: RowKnowledge;
}

const OLD_WORDS = {
  "agent-offline": "environments/state-agent-offline",
  "kas-unreachable": "environments/kas-unavailable",
  "api-down": "environments/reason-api-unavailable",
  reconnecting: "environments/state/reconnecting",
  failed: "environments/reason-not-readable-now",
  late: "environments/no-newer-data",
  stream: "environments/binnacle-unavailable",
} as const satisfies Record<OldReason, string>;

/**
 * What is under the heading: how many, of how many nothing can be known and why, how many are not known yet, how many need attention. "None
 * needs attention" only when every row that the viewer may see is known and of now.
 */
export function summaryWords(rows: readonly KnownRow[], nowMs: number): string {
  if (rows.length === 0) return "";
  const visible = rows.filter(({ knowledge }) => knowledge.kind !== "outside");
  const unknown = visible.filter(({ knowledge }) => knowledge.kind === "unknown").length;
  const locked = rows.filter(({ row }) => isForbidden(row)).length;
  const bare = rows.length - visible.length - locked;
  const environments = words("environments/counted/environments", { count: rows.length });
  const seen = t("environments/totals", { environments, locked: locked || undefined, bare: bare || undefined });
  if (visible.length === 0) return `${seen}.`;
  const known = unknown === 0 ? `${seen}.` : t("environments/health-not-known", { seen, unknown });
  const attention = attentionWords(visible, nowMs);
  return attention === "" ? known : `${known} ${attention}`;
}

function attentionWords(rows: readonly KnownRow[], nowMs: number): string {
  const bad = rows.filter(({ row }) => needsAttention(row));
  const old = rows.filter(({ knowledge }) => knowledge.kind === "old");
  if (bad.length > 0) {
    const oldBad = bad.filter(({ knowledge }) => knowledge.kind === "old");
    const some = oldBad.length > 0 && oldBad.length < bad.length ? oldBad.length : undefined;
    return t("environments/needs-attention", { count: bad.length, some, ...oldestOf(oldBad, nowMs) });
  }
  if (rows.some(({ knowledge }) => knowledge.kind === "unknown")) return "";
  return old.length === 0 ? t("environments/none-needs-attention") : t("environments/none-needed-attention", { ...oldestOf(old, nowMs) });
}

/** Whether its status needs attention, a notice does (where the first issue is one, all are), or a sync does. */
function needsAttention({ health, environment }: EnvironmentRow): boolean {
  if ((environment?.delivery?.issues.length ?? 0) > 0) return true;
  return isProblem(health?.status ?? 0) || health?.issues[0]?.notice === true;
}

/** The clock time of the oldest of the old rows, and why they are old when the reason is the same for all of them. */
function oldestOf(rows: readonly KnownRow[], nowMs: number): { readonly at: string; readonly why: string } | undefined {
  const old = rows.flatMap(({ knowledge }) => (knowledge.kind === "old" ? [knowledge] : []));
  if (old.length === 0) return undefined;
  const reasons = new Set(old.map((each) => each.why));
  const [only] = reasons;
  return {
    at: formatClock(Math.min(...old.map((each) => each.asOfMs)), nowMs),
    why: reasons.size === 1 && only !== undefined ? t(OLD_WORDS[only]) : "",
  };
}

/** The times that words about the index name: of each sort of row the oldest. */
export function timesOf(rows: readonly KnownRow[]): readonly number[] {
  const old = rows.filter(({ knowledge }) => knowledge.kind === "old");
  const sampled = rows.filter(({ row, knowledge }) => knowledge.kind === "fresh" && !row.live);
  const sorts = [old.filter(({ row }) => needsAttention(row)), old].map((sort) =>
    sort.flatMap(({ knowledge }) => (knowledge.kind === "old" ? [knowledge.asOfMs] : [])),
  );
  return [...sorts, sampled.map(({ row }) => asOfMsOf(row))].flatMap((sort) => (sort.length === 0 ? [] : [Math.min(...sort)]));
}

/** How fresh the index is as a whole, in words; `live` only when every row is live. */
export interface SourceWords {
  readonly live: boolean;
  readonly words: string;
}

/** What is under the table: "Live" only if every row is known and its source live; sampled rows say when and how often. */
export function sourceWords(rows: readonly KnownRow[], nowMs: number): SourceWords {
  const seen = rows.filter(({ knowledge }) => knowledge.kind !== "outside");
  const unknown = seen.filter(({ knowledge }) => knowledge.kind === "unknown").length;
  const old = seen.filter(({ knowledge }) => knowledge.kind === "old");
  const parts: string[] = [];
  if (unknown > 0) parts.push(t("environments/health-not-known-yet", { unknown }));
  const oldest = oldestOf(old, nowMs);
  if (oldest !== undefined) parts.push(t("environments/out-of-date-since", { count: old.length, ...oldest }));
  const sampled = seen.filter(({ row, knowledge }) => knowledge.kind === "fresh" && !row.live);
  if (sampled.length > 0) {
    const asOfMs = Math.min(...sampled.map(({ row }) => asOfMsOf(row)));
    const everyMs = Math.max(...sampled.map(({ row }) => everyMsOf(row) ?? 0));
    parts.push(
      t("environments/sampled-as-of", {
        count: parts.length === 0 && sampled.length === seen.length ? undefined : sampled.length,
        at: formatSecond(asOfMs, nowMs),
        every: everyWords(everyMs),
      }),
    );
  }
  return parts.length > 0
    ? { live: false, words: parts.join("; ") }
    : { live: seen.length > 0, words: seen.length > 0 ? t("ui/live") : "" };
}

/** Why a row has no health yet, in words. */
export function unknownWords(knowledge: RowKnowledge & { readonly kind: "unknown" }, row: EnvironmentRow): string {
  switch (knowledge.why) {
    case "loading":
      return "";
    case "agent-offline":
      return t("environments/agent-offline");
    case "kas-unreachable":
      return t("environments/kas-unavailable");
    case "api-down":
      return t("environments/api-unavailable");
    case "never-connected":
      return t("environments/agent-never-connected");
    case "failed":
      return messageText(row.problem?.words ?? row.gapWords) || t("environments/not-readable-now");
    case "too-large":
      return t("environments/too-large-to-count");
  }
  return "";
}

/** Why numbers are old, in words. */
export function oldWords(knowledge: RowKnowledge & { readonly kind: "old" }): string {
  return t(OLD_WORDS[knowledge.why]);
}
