import { fieldsAt, listAt, UNITS, type Fields } from "@binnacle/kube";

/** What a pod asks for: "cpu 1500m, memory 2Gi"; the sum of its containers; empty when it states nothing. */
export function requestsOf(podSpec: Fields): string {
  const stated = new Map<string, string[]>();
  for (const container of listAt(podSpec, "containers")) {
    for (const [resource, amount] of Object.entries(fieldsAt(fieldsAt(container, "resources"), "requests"))) {
      if (typeof amount !== "string" && typeof amount !== "number") continue;
      stated.set(resource, [...(stated.get(resource) ?? []), String(amount)]);
    }
  }
  const names = [...stated.keys()].sort();
  return names.map((resource) => `${resource} ${shownAmount(resource, sumOf(stated.get(resource) ?? []))}`).join(", ");
}

/** The API server writes 1000 CPUs as "1k", which nobody says of what is counted; only of bytes. */
function shownAmount(resource: string, amount: string): string {
  const [, digits = "", unit = ""] = /^(\d+)([kMG])$/.exec(amount) ?? [];
  return unit === "" || /memory|storage|^hugepages-/.test(resource) ? amount : String(Number(digits) * (UNITS.get(unit) ?? 1));
}

/** One amount as it is written; several in the smallest unit that any of them uses; "a + b" when one cannot be read. */
function sumOf(amounts: readonly string[]): string {
  const [first] = amounts;
  if (amounts.length === 1 && first !== undefined) return first;
  const parsed = amounts.map((amount) => /^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti|)$/.exec(amount));
  const units = parsed.map((match) => match?.[2]);
  if (units.includes(undefined)) return amounts.join(" + ");
  const unit = units.reduce((least, each) => ((UNITS.get(each ?? "") ?? 1) < (UNITS.get(least ?? "") ?? 1) ? each : least)) ?? "";
  const total = parsed.reduce((sum, match) => sum + Number(match?.[1] ?? 0) * (UNITS.get(match?.[2] ?? "") ?? 1), 0);
  return `${Number((total / (UNITS.get(unit) ?? 1)).toFixed(3))}${unit}`;
}
