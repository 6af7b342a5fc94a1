import { quoted, words, type Words, type WordsId } from "@binnacle/words";

import type { Row } from "../rows.ts";

/** Ids under `scheduling/part/`. */
type PartId = WordsId extends infer Id ? (Id extends `scheduling/part/${infer Part}` ? Part : never) : never;

/** What one part of the scheduler's sum means. */
interface Phrase {
  readonly sign: RegExp;
  readonly row: Row<"scheduling">;
  /** Message about the nodes; the match of the sign is its fact `what`. */
  readonly id: PartId;
}

/** The filters of kube-scheduler, by their messages; the first that fits wins. */
const PHRASES: readonly Phrase[] = [
  { sign: /^Insufficient (\S+)/, row: "resources", id: "resource" },
  { sign: /^Too many pods/, row: "resources", id: "pods" },
  { sign: /^node\(s\) exceed max volume count/, row: "resources", id: "volumes" },
  { sign: /^node\(s\) had untolerated taint(?:\(s\))? \{([^:}]+)/, row: "taint", id: "taint" },
  { sign: /^node\(s\) had untolerated taint/, row: "taint", id: "any-taint" },
  { sign: /^node\(s\) had taint \{([^:}]+)/, row: "taint", id: "taint" },
  {
    sign: /^node\(s\) (?:had volume node affinity conflict|didn't match PersistentVolume's node affinity|had no available volume zone)/,
    row: "volume-affinity",
    id: "volume-affinity",
  },
  { sign: /^node\(s\) didn't find available persistent volumes/, row: "volume-affinity", id: "no-volume" },
  { sign: /^node\(s\) didn't match Pod's node (?:affinity|selector)/i, row: "affinity", id: "labels" },
  { sign: /^node\(s\) didn't match pod anti-affinity/, row: "anti-affinity", id: "anti-affinity" },
  { sign: /^node\(s\) didn't match pod affinity/, row: "affinity", id: "affinity" },
  { sign: /^node\(s\) didn't satisfy existing pods anti-affinity/, row: "anti-affinity", id: "others-anti-affinity" },
  { sign: /^node\(s\) didn't match pod topology spread constraints \(missing required label\)/, row: "topology-label", id: "spread-label" },
  { sign: /^node\(s\) didn't match pod topology spread/, row: "affinity", id: "spread" },
  { sign: /^node\(s\) (?:were unschedulable|had unschedulable)/, row: "cordoned", id: "cordoned" },
  { sign: /^node\(s\) (?:were not ready|were unreachable)/, row: "cordoned", id: "not-ready" },
  { sign: /^node\(s\) didn't have free ports/, row: "ports", id: "ports" },
];

/** What follows the sum: that nothing would be won by ending other pods, or by taking claims from them. */
const AFTER_SUM = /[.,]? (?:no new claims to deallocate|preemption:)/;

/** The scheduler's sum: how many nodes there are, and why each does not take the pod. */
export interface Arithmetic {
  readonly row: Row<"scheduling">;
  /** "of 5 nodes, 3 have too little cpu free, 2 have the taint dedicated"; the scheduler's own words when it is no sum. */
  readonly sum: Words | undefined;
  /** Whether nodes lack labels that the pod selects: every node, or every node that has no taint against it and is not cordoned. */
  readonly lacksLabels: "every" | "every-open" | undefined;
}

/** Reads "0/5 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint {dedicated: gpu}. preemption: …". */
export function arithmeticOf(message: string): Arithmetic {
  if (/no nodes available to schedule pods|^0\/0 nodes/.test(message)) return { row: "no-nodes", sum: undefined, lacksLabels: undefined };
  const sum = /\d\/(\d+) nodes are available: ?(.*)$/s.exec(message);
  if (sum === null)
    return { row: /unbound immediate/.test(message) ? "unbound-claim" : "other", sum: quoted(message), lacksLabels: undefined };
  const summands = (sum[2] ?? "").split(AFTER_SUM)[0] ?? "";
  if (/unbound immediate PersistentVolumeClaims/.test(summands))
    return { row: "unbound-claim", sum: quoted(summands), lacksLabels: undefined };
  const parts = summands
    .replace(/\.\s*$/, "")
    .split(/,\s+(?=\d+ )/)
    .map(readPart);
  const total = Number(sum[1]);
  const sumWords = words("scheduling/sum", { total, parts: parts.map(({ detail }) => detail) });
  return { row: decisiveRow(parts), sum: sumWords, lacksLabels: lackingLabels(parts, total) };
}

/** The scheduler does not check the labels of a node with a taint, so that it is unknown whether it has them. */
function lackingLabels(parts: readonly Part[], total: number): Arithmetic["lacksLabels"] {
  if (parts.some(({ id, count }) => id === "labels" && count === total)) return "every";
  const isOpen = ({ row }: Part): boolean => row !== "taint" && row !== "cordoned";
  const open = parts.filter(isOpen);
  return open.length > 0 && open.every(({ id }) => id === "labels") ? "every-open" : undefined;
}

interface Part {
  readonly count: number;
  /** Absent = a filter that is not known here. */
  readonly id?: PartId;
  readonly row: Row<"scheduling">;
  readonly detail: Words;
}

function readPart(part: string): Part {
  const [, digits = "", text = part] = /^(\d+) (.*)$/s.exec(part.trim()) ?? [];
  const count = Number(digits || "0");
  for (const { sign, row, id } of PHRASES) {
    const match = sign.exec(text);
    if (match === null) continue;
    return { count, row, id, detail: words(`scheduling/part/${id}`, { count, what: match[1] }) };
  }
  return { count, row: "other", detail: quoted(part.trim()) };
}

/** A volume binds the pod to few nodes, so it decides wherever it is named; else what most nodes say. */
function decisiveRow(parts: readonly Part[]): Row<"scheduling"> {
  if (parts.some(({ row }) => row === "volume-affinity")) return "volume-affinity";
  const nodesByRow = new Map<Row<"scheduling">, number>();
  for (const { row, count } of parts) nodesByRow.set(row, (nodesByRow.get(row) ?? 0) + count);
  nodesByRow.delete("other");
  let [decisive, nodesOfIt]: [Row<"scheduling">, number] = ["other", 0];
  for (const [row, count] of nodesByRow) if (count > nodesOfIt) [decisive, nodesOfIt] = [row, count];
  return decisive;
}
