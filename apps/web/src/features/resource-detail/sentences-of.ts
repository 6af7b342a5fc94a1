/**
 * What is said of a resource's health: the sentence that explains it, then what its verdict says beyond that. One that only repeats the other,
 * but for its case and its end, or says a part of it, is left out.
 */
export function sentencesOf(why: string, verdict: string): readonly string[] {
  const [whyText, verdictText] = [plain(why), plain(verdict)];
  if (whyText === "" || verdictText.includes(whyText)) return verdictText === "" ? [] : [verdict];
  return verdictText === "" || whyText.includes(verdictText) ? [why] : [why, verdict];
}

function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/[.;:]$/, "")
    .toLowerCase();
}
