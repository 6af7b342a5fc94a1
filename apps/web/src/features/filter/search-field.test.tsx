import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { HiddenNote } from "./filter-bar.tsx";
import { SearchField } from "./search-field.tsx";

const nothing = (): void => undefined;

function drawn(value: string, found?: { readonly total: number; readonly at: number }): string {
  const hits = found === undefined ? undefined : { ...found, step: nothing, leave: nothing };
  return renderToStaticMarkup(<SearchField label="Find" value={value} onChange={nothing} hits={hits} />);
}

test("US10: a search says how many there are and at which one is, to readers too", () => {
  expect(drawn("web", { total: 45, at: 3 })).toMatch(/<output[^>]*>3 of 45<\/output>/);
  expect(drawn("web", { total: 1, at: 0 })).toMatch(/<output[^>]*>1 match<\/output>/);
  expect(drawn("<i>", { total: 0, at: 0 })).toMatch(/<output[^>]*>No match for “&lt;i&gt;”<\/output>/);
  expect(drawn("", { total: 45, at: 0 })).toMatch(/<output[^>]*><\/output>/);
});

test("US10: it has buttons to the next match, the one before and to its end, and none while nothing is looked for", () => {
  const labels = (html: string) => [...html.matchAll(/<button[^>]*aria-label="([^"]+)"/g)].map(([, label]) => label);
  expect(labels(drawn("web", { total: 2, at: 1 }))).toEqual(["Previous match", "Next match", "Clear the search"]);
  expect(labels(drawn("web"))).toEqual(["Clear the search"]);
  expect(labels(drawn("", { total: 2, at: 1 }))).toEqual([]);
  expect(drawn("web", { total: 0, at: 0 }).match(/aria-disabled="true"/g)).toHaveLength(2);
});

test("US10: a note states what filters hide, with a button that clears them", () => {
  const html = renderToStaticMarkup(<HiddenNote count={12} onClear={nothing} />);
  expect(html).toContain("12 hidden by filters");
  expect(html).toMatch(/<button[^>]*>Clear<\/button>/);
  expect(renderToStaticMarkup(<HiddenNote count={0} onClear={nothing} />)).toBe("");
});
