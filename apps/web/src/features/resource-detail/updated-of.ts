import type { DetailRow } from "@binnacle/proto/dashboard";

/** How many replicas of a workload are of its newest revision, as its facts say; nothing for what has no revisions. */
export function updatedOf(facts: readonly DetailRow[]): { readonly count: number; readonly total: number } | undefined {
  const said = facts.find(({ label }) => label?.id === "detail/updated")?.items[0]?.words;
  const [count, total] = ["count", "total"].map((name) => said?.facts.find((fact) => fact.name === name)?.value);
  if (count?.case !== "number" || total?.case !== "number") return undefined;
  return { count: count.value, total: total.value };
}
