import type { Row } from "../words/families.ts";

/** What one part of the scheduler's sum means. */
interface Phrase {
  readonly sign: RegExp;
  readonly row: Row<"scheduling">;
  /** After "3 nodes"; $1 is what the sign caught. */
  readonly words: string;
}

/** The filters of kube-scheduler, by their messages; the first that fits wins. */
const PHRASES: readonly Phrase[] = [
  { sign: /^Insufficient (\S+)/, row: "resources", words: "too little $1 free" },
  { sign: /^Too many pods/, row: "resources", words: "no room for one more pod" },
  { sign: /^node\(s\) exceed max volume count/, row: "resources", words: "no room for one more volume" },
  { sign: /^node\(s\) had untolerated taint(?:\(s\))? \{([^:}]+).*\}/, row: "taint", words: "the taint $1" },
  { sign: /^node\(s\) had untolerated taint/, row: "taint", words: "a taint" },
  { sign: /^node\(s\) had taint \{([^:}]+).*/, row: "taint", words: "the taint $1" },
  { sign: /^node\(s\) had volume node affinity conflict/, row: "volume-affinity", words: "no way to its volume" },
  { sign: /^node\(s\) didn't find available persistent volumes/, row: "volume-affinity", words: "no volume for it" },
  { sign: /^node\(s\) didn't match Pod's node (?:affinity|selector)/i, row: "affinity", words: "other labels than it demands" },
  { sign: /^node\(s\) didn't match pod anti-affinity/, row: "affinity", words: "a pod that it must not run beside" },
  { sign: /^node\(s\) didn't match pod affinity/, row: "affinity", words: "no pod that it must run beside" },
  { sign: /^node\(s\) didn't satisfy existing pods anti-affinity/, row: "affinity", words: "a pod that does not want it beside itself" },
  { sign: /^node\(s\) didn't match pod topology spread/, row: "affinity", words: "enough of its replicas in their zone" },
  { sign: /^node\(s\) (?:were unschedulable|had unschedulable)/, row: "cordoned", words: "been cordoned" },
  { sign: /^node\(s\) (?:were not ready|were unreachable)/, row: "cordoned", words: "not reported that they are ready" },
  { sign: /^node\(s\) didn't have free ports/, row: "ports", words: "its host port in use" },
];

/** The scheduler's sum: how many nodes there are, and why each does not take the pod. */
export interface Arithmetic {
  readonly row: Row<"scheduling">;
  /** "of 5 nodes, 3 have too little cpu free, 2 have the taint dedicated"; the scheduler's own words when it is no sum. */
  readonly words: string;
}

/** Reads "0/5 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint {dedicated: gpu}. preemption: …". */
export function arithmeticOf(message: string): Arithmetic {
  if (/no nodes available to schedule pods|^0\/0 nodes/.test(message)) return { row: "no-nodes", words: "" };
  const sum = /\d+\/(\d+) nodes are available: ?(.*)$/s.exec(message);
  if (sum === null) return { row: /unbound immediate/.test(message) ? "unbound-claim" : "other", words: message };
  const said = (sum[2] ?? "").split(/\.? preemption:/)[0] ?? "";
  if (/unbound immediate PersistentVolumeClaims/.test(said)) return { row: "unbound-claim", words: said };
  const parts = said
    .replace(/\.\s*$/, "")
    .split(/,\s+(?=\d+ )/)
    .map(readPart);
  return { row: decisiveRow(parts), words: `of ${nodes(sum[1] ?? "")}, ${parts.map(({ words }) => words).join(", ")}` };
}

interface Part {
  readonly count: number;
  readonly row: Row<"scheduling">;
  readonly words: string;
}

function readPart(part: string): Part {
  const [, digits = "", text = part] = /^(\d+) (.*)$/s.exec(part.trim()) ?? [];
  const count = Number(digits || "0");
  for (const { sign, row, words } of PHRASES) {
    const match = sign.exec(text);
    if (match === null) continue;
    return { count, row, words: `${digits} ${count === 1 ? "has" : "have"} ${words.replace("$1", match[1] ?? "")}` };
  }
  return { count, row: "other", words: part.trim() };
}

/** A volume binds the pod to few nodes, so it decides wherever it is named; else what most nodes say. */
function decisiveRow(parts: readonly Part[]): Row<"scheduling"> {
  if (parts.some(({ row }) => row === "volume-affinity")) return "volume-affinity";
  const most = new Map<Row<"scheduling">, number>();
  for (const { row, count } of parts) most.set(row, (most.get(row) ?? 0) + count);
  most.delete("other");
  let [decisive, nodesOfIt]: [Row<"scheduling">, number] = ["other", 0];
  for (const [row, count] of most) if (count > nodesOfIt) [decisive, nodesOfIt] = [row, count];
  return decisive;
}

function nodes(total: string): string {
  return `${total} ${total === "1" ? "node" : "nodes"}`;
}
