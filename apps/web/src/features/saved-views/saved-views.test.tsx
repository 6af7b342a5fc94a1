import { create } from "@bufbuild/protobuf";
import { WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { cleanName, parseSavedView, SAVED_VIEWS, withoutView, withRenamed, withView, type SavedView } from "./saved-views.ts";
import { SavedViewsPanel } from "./saved-views-panel.tsx";
import { ViewLinks } from "./view-links.tsx";

// HTML has nothing of what a browser keeps: here it is drawn as a browser draws it.
vi.mock("../viewer-storage/use-viewer-list.ts", () => ({
  useViewerList: (list: typeof SAVED_VIEWS, viewer: string | undefined) => list.of(viewer),
}));

afterEach(() => void SAVED_VIEWS.set("mara", []));

const VIEW: SavedView = { projectPath: "harbor/shop", name: "Morning", query: "view=graph" };

function page(links: readonly { name: string; query: string }[] = []): string {
  const store = new EnvironmentStore((flush) => flush());
  const environment = { name: "production", projectPath: "harbor/shop" };
  const value = { viewer: { username: "mara" }, environment, views: [...links] };
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "header", value } }), 1);
  return renderToStaticMarkup(
    <StoreProvider store={store}>
      <ViewLinks />
      <SavedViewsPanel />
    </StoreProvider>,
  );
}

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
  SAVED_VIEWS.set("mara", [elsewhere]);
  expect(page()).not.toContain("Morning");
});

test("views of the team and one's own stand in one row, told apart, and the one that is shown is marked", () => {
  SAVED_VIEWS.set("mara", [VIEW]);
  const html = page([{ name: "Broken", query: "view=list" }]);
  expect(html).toMatch(/<nav aria-label="Views of the team">.*Broken.*<\/nav><nav aria-label="Your views">.*Morning.*<\/nav>/);
  expect(html).toMatch(/title="Morning" aria-current="page"/);
  expect(html).not.toMatch(/title="Broken" aria-current/);
  expect(page([])).not.toContain("Views of the team");
});

test("each view of one's own can be opened, renamed and deleted by its name", () => {
  SAVED_VIEWS.set("mara", [VIEW]);
  const html = page();
  expect(html).toContain('href="?view=graph"');
  expect(html).toContain('Rename<span class="visually-hidden"> Morning</span>');
  expect(html).toContain('Delete<span class="visually-hidden"> Morning</span>');
});

test("what somebody wrote into the storage leads nowhere but to this page", () => {
  const parsed = parseSavedView({ ...VIEW, name: "\u202Ex\n<b>", query: "javascript:alert(1)&view=list&evil=//x" });
  expect(parsed).toEqual({ ...VIEW, name: "x <b>", query: "view=list" });
  for (const value of [null, 1, {}, { ...VIEW, name: " " }, { ...VIEW, query: 1 }]) expect(parseSavedView(value)).toBeUndefined();
  expect(cleanName("x".repeat(1_000_000))).toHaveLength(60);
});
