/** Several of a kind, in English: "ReplicaSets", "pods"; one of it for a count of 1. */
export function pluralOf(kind: string, count: number): string {
  const word = kind === "Pod" ? "pod" : kind;
  if (count === 1 || word === "Endpoints") return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
