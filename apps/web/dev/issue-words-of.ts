import type { IssueGroup, ResourceHealth } from "@binnacle/proto/dashboard";

/** What is said of an issue, as its first member has it. */
export function wordsOf(health: ResourceHealth | undefined): Partial<Pick<IssueGroup, "words" | "next">> {
  const [words, next] = [health?.why?.words ?? health?.words, health?.why?.next];
  return { ...(words === undefined ? {} : { words }), ...(next === undefined ? {} : { next }) };
}
