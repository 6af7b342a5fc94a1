import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { ManifestDiff, type ManifestDiffProps } from "./manifest-diff.tsx";

const lines = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, index) => `k${from + index}: a\n`).join("");
const diff = (props: Pick<ManifestDiffProps, "desired" | "live"> & Partial<ManifestDiffProps>): string =>
  renderToStaticMarkup(<ManifestDiff source="git" {...props} />);
/** What a screen reader gets of it: elements that are hidden from it and tags are left out. */
const spoken = (html: string): string =>
  html.replaceAll(/<(p|pre)\b[^>]*aria-hidden="true"[^>]*>[^]*?<\/\1>/g, "").replaceAll(/<[^>]+>/g, "|");

describe("B4: the diff of a manifest and the cluster", () => {
  test("marks each side with a sign, its line numbers and words for screen readers, and folds what is unchanged", () => {
    const html = diff({ desired: `${lines(1, 20)}image: web:1\n`, live: `${lines(1, 20)}image: web:2\nextra: b\n` });
    expect(html).toMatch(/data-run="desired".*>21<.*>−<.*image: web:1/s);
    expect(html).toMatch(/data-run="live".*>21\n22<.*>\+\n\+<.*image: web:2\nextra: b/s);
    const text = spoken(html);
    expect(text).toContain("Show 17 unchanged lines");
    expect(text).toMatch(/Unchanged, line 18 to 20\|+k18: a\nk19: a\nk20: a/);
    expect(text).toMatch(/Only in Git, line 21\|+image: web:1/);
    expect(text).toMatch(/Only in the cluster, line 21 to 22\|+image: web:2\nextra: b/);
    expect(text).not.toMatch(/[−+]/);
  });
  test("names the state applied last where that is the other side", () => {
    const html = diff({ desired: "a: 1\n", live: "a: 2\n", source: "last-applied" });
    expect(html).toContain('aria-label="Diff of the state applied last and the cluster"');
    expect(html).toContain("Only in the state applied last, line 1<");
    expect(html).not.toContain("Git");
  });
  test("shows control characters instead of obeying them", () => {
    expect(diff({ desired: "a: \u202Eb\n", live: "a: c\n" })).toContain("⟨U+202E⟩");
  });
  test("explains the masks of two values of a Secret only where they are", () => {
    expect(diff({ desired: 'a: "***** (1)"\n', live: 'a: "***** (2)"\n' })).toContain("(1) and (2) are two different values");
    expect(diff({ desired: 'a: "*****"\n', live: 'a: "*****"\n' })).not.toContain("two different values");
  });
  test("is replaced by a sentence when more than a thousand lines differ", () => {
    const html = diff({ desired: lines(1, 1_000), live: lines(2_001, 3_000) });
    expect(html).toContain("More than 1,000 lines differ");
    expect(html).not.toContain("<ol");
  });
});
