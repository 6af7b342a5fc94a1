import type { Source } from "@binnacle/proto/dashboard";
import { SettledState } from "@binnacle/proto/dashboard-enums";
import { words, type Words } from "@binnacle/words";
import { said, say } from "../../ui/said.ts";

const MOST_NAMED = 3;

/** What of the environment is not shown because there is too much of it: "pods: 9,962 of 10,000 shown. …"; `undefined` when all is. */
export function truncatedWords(sources: readonly Source[]): string | undefined {
  const cut = sources.filter((source) => source.settled === SettledState.TRUNCATED);
  if (cut.length === 0) return undefined;
  const kinds = Map.groupBy(cut, (source) => source.resource);
  const named = [...kinds].slice(0, MOST_NAMED).map(([resource, each]) => countWords(resource, each));
  const more = kinds.size - named.length;
  const why = cut.map((source) => said(source.words).replace(/\.$/, "")).find((sentence) => sentence !== "");
  return say("banner/truncated", { kinds: more > 0 ? words("banner/truncated/more", { kinds: named, more }) : named, why });
}

/** How many there are is not always known: then there are at least those that are shown. */
function countWords(resource: string, sources: readonly Source[]): Words {
  const shown = sources.reduce((sum, source) => sum + source.shown, 0);
  const total = sources.reduce((sum, source) => sum + source.total, 0);
  const facts = { resource, shown: shown.toLocaleString("en") };
  if (total <= shown) return words("banner/truncated/kind-in-part", facts);
  return words("banner/truncated/kind", { ...facts, total: total.toLocaleString("en") });
}
