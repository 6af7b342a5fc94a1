import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SavedViewRow } from "./saved-views-menu.tsx";
import { cleanName, parseSavedView, viewsOfProject, withoutView, withRenamed, withView, type SavedView } from "./saved-views.ts";
import { NamedViewLinks } from "./view-links.tsx";

const VIEW: SavedView = { projectPath: "harbor/shop", name: "Morning", query: "view=graph" };

test("a view is saved in front, takes the place of one of its name, has another name, and goes", () => {
  const night = { ...VIEW, name: "Night" };
  expect(withView([night], VIEW)).toEqual([VIEW, night]);
  const other = { ...VIEW, query: "view=list" };
  expect(withView([VIEW, night], other)).toEqual([other, night]);
  expect(withRenamed([VIEW, night], VIEW, "Dawn")).toEqual([{ ...VIEW, name: "Dawn" }, night]);
  expect(withRenamed([VIEW, night], VIEW, "Night")).toEqual([{ ...VIEW, name: "Night" }]);
  expect(withoutView([VIEW, night], VIEW)).toEqual([night]);
});

test("one project's views are not another's, of the same name or not", () => {
  const elsewhere = { ...VIEW, projectPath: "harbor/other" };
  expect(withoutView([VIEW, elsewhere], VIEW)).toEqual([elsewhere]);
  expect(viewsOfProject([VIEW, elsewhere], "harbor/shop")).toEqual([VIEW]);
});

test("views of the team and of the viewer stand in one row with different marks, and the current one is marked", () => {
  const html = renderToStaticMarkup(<NamedViewLinks links={[{ name: "Broken", query: "view=list" }]} views={[VIEW]} />);
  expect(html).toMatch(/<nav aria-label="Views of the team">.*Broken.*<\/nav><nav aria-label="Your views">.*Morning.*<\/nav>/);
  expect(html).toMatch(/title="Morning" aria-current="page"/);
  expect(html).not.toMatch(/title="Broken" aria-current/);
  expect(renderToStaticMarkup(<NamedViewLinks links={[]} views={[VIEW]} />)).not.toContain("Views of the team");
  expect(renderToStaticMarkup(<NamedViewLinks links={[]} views={[]} />)).toBe("");
});

test("each view of one's own can be opened, renamed and deleted by its name", () => {
  const html = renderToStaticMarkup(<SavedViewRow view={VIEW} onRename={() => undefined} onDelete={() => undefined} />);
  expect(html).toContain('href="?view=graph"');
  expect(html).toContain('Rename<span class="visually-hidden"> Morning</span>');
  expect(html).toContain('Delete<span class="visually-hidden"> Morning</span>');
});

test("foreign content of the storage leads only to this page", () => {
  const parsed = parseSavedView({ ...VIEW, name: "\u202Ex\n<b>", query: "javascript:alert(1)&view=list&evil=//x" });
  expect(parsed).toEqual({ ...VIEW, name: "x <b>", query: "view=list" });
  for (const value of [null, 1, {}, { ...VIEW, name: " " }, { ...VIEW, query: 1 }]) expect(parseSavedView(value)).toBeUndefined();
  expect(cleanName("x".repeat(1_000_000))).toHaveLength(60);
});
