// needs: control-plane
import { pick } from "../support/endpoints.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";

test("what opens above the page keeps the policy, closes alone on Escape, and gives the focus back", async ({ page, sandbox }) => {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/content security policy|refused to|violates/i.test(message.text())) violations.push(message.text());
  });
  page.on("pageerror", (error) => violations.push(error.message));
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  const url = `${graphUrl(sandbox, "production")}&sel=apps/deployments/${namespace}/web`;
  await signIn(page, sandbox, { username: "developer", url });
  await page.goto(url);
  const drawer = page.getByRole("complementary", { name: "Deployment web" });
  await expect(drawer).toBeVisible();
  const openings = [
    { button: page.getByRole("button", { name: "developer" }), opens: page.getByRole("dialog", { name: "You" }) },
    { button: page.getByRole("button", { name: /^Access/ }), opens: page.getByRole("dialog", { name: "Explain my access" }) },
    { button: page.getByRole("button", { name: /^Kind/ }), opens: page.getByRole("dialog", { name: "Kind" }) },
    { button: page.getByRole("button", { name: "Keyboard help" }), opens: page.getByRole("dialog", { name: "Keyboard" }) },
  ];
  for (const { button, opens } of openings) {
    await button.click();
    await expect(opens).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(opens).toBeHidden();
    await expect(button).toBeFocused();
    await expect(drawer).toBeVisible();
  }
  await page.getByRole("complementary").getByRole("button", { name: "Copy link" }).hover();
  await expect(page.getByRole("tooltip", { name: "Copy link" })).toBeAttached();
  expect(violations).toEqual([]);
});

test("a choice is made by keyboard alone, Tab goes round in it, and the address has it", async ({ page, sandbox }) => {
  const url = graphUrl(sandbox, "production").replace("view=graph", "view=list");
  await signIn(page, sandbox, { username: "maintainer", url });
  await page.goto(url);
  // The button is in the first HTML already, where it has no listener yet.
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const button = page.getByRole("button", { name: /^Health: / });
  await button.focus();
  await page.keyboard.press("Enter");
  const choice = page.getByRole("dialog", { name: "Health" });
  await expect(choice.getByRole("checkbox").first()).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/health=unknown/);
  await expect(button).toHaveText("Health: Unknown");
  await page.keyboard.press("Shift+Tab");
  await expect(choice.getByRole("button", { name: "Show all" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(button).toHaveText("Health: all");
  await expect(choice.getByRole("checkbox").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
});

test("while a dialog is open the keys of the page do nothing, and nothing behind it can be reached", async ({ page, sandbox }) => {
  const url = graphUrl(sandbox, "production").replace("view=graph", "view=list");
  await signIn(page, sandbox, { username: "maintainer", url });
  await page.goto(url);
  await expect(page.getByRole("row").first()).toBeVisible();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard" });
  await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("/");
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("checkbox", { name: /^Shortcuts of one character/ })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(dialog.getByRole("button", { name: /^Change: / }).last()).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
  await expect(page.getByRole("searchbox", { name: "Find resources" })).toHaveCount(0);
  await page.mouse.click(10, 300);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("searchbox", { name: "Find resources" })).toBeVisible();
});

test("WCAG 2.1.4: keys can be changed by the keyboard alone, are shown where they act, hold in another tab, and can be had again", async ({
  page,
  sandbox,
}) => {
  const url = graphUrl(sandbox, "production").replace("view=graph", "view=list");
  await signIn(page, sandbox, { username: "maintainer", url });
  await page.goto(url);
  const other = await page.context().newPage();
  await other.goto(url);
  const holdOf = (tab: typeof page) => tab.getByRole("button", { name: "Pause updates", exact: true });
  for (const tab of [page, other]) await expect(holdOf(tab)).toHaveAttribute("aria-keyshortcuts", "h");

  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard" });
  const change = dialog.getByRole("button", { name: /^Change: Pause updates/ });
  await change.focus();
  await page.keyboard.press("Enter");
  const field = dialog.getByRole("textbox", { name: /^New keys: Pause updates/ });
  await expect(field).toBeFocused();
  await page.keyboard.type("n");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText(/^n is taken: Next problem/);
  await page.keyboard.press("Escape");
  await expect(change).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("q");
  await page.keyboard.press("Enter");
  await expect(field).toBeHidden();
  await expect(change).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  for (const tab of [page, other]) {
    await expect(holdOf(tab)).toHaveAttribute("aria-keyshortcuts", "q");
    await tab.keyboard.press("h");
    await expect(holdOf(tab)).toHaveAttribute("aria-pressed", "false");
    await tab.keyboard.press("q");
    await expect(holdOf(tab)).toHaveAttribute("aria-pressed", "true");
  }
  await page.reload();
  await expect(holdOf(page)).toHaveAttribute("aria-keyshortcuts", "q");
  await page.keyboard.press("?");
  await dialog.getByRole("button", { name: /^Reset: Pause updates/ }).click();
  await expect(holdOf(other)).toHaveAttribute("aria-keyshortcuts", "h");
});

test("US10, US12, US13: by keyboard alone from the palette to a row of the list, its YAML, a hit of the graph, and back to the index", async ({
  page,
  sandbox,
}) => {
  const url = graphUrl(sandbox, "production").replace("view=graph", "view=summary");
  await signIn(page, sandbox, { username: "maintainer", url });
  await page.goto(url);
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  const field = page.getByRole("combobox", { name: "Resource, kind, environment or action" });
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.type("deployment");
  await expect(page.getByRole("option", { selected: true })).toContainText("Deployment");
  await page.keyboard.press("Escape");
  await expect(field).toBeHidden();

  await page.keyboard.type("gl");
  await expect(page).toHaveURL(/view=list/);
  const rows = page.getByRole("grid", { name: "Resources" }).locator("[data-node-id]");
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("web");
  // The first match is the current one, as the focus is in the list.
  await expect(page.getByRole("status").filter({ hasText: /^1 of \d+$/ })).toBeVisible();
  await page.keyboard.press("Escape");
  const focused = page.locator('[role="row"]:focus');
  await expect(focused).toHaveCount(1);
  await expect(page.locator('[role="grid"] [data-node-id][tabindex="0"]')).toHaveCount(1);
  const first = await focused.getAttribute("data-node-id");
  await page.keyboard.type("xj");
  await expect(focused).not.toHaveAttribute("data-node-id", first ?? "");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(page.getByRole("region", { name: "What is chosen" })).toContainText("3 chosen");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "What is chosen" })).toHaveCount(0);
  await expect(focused.getByRole("link")).toHaveAttribute("href", /\?view=list&sel=/);
  await page.keyboard.press("y");
  await expect(page).toHaveURL(/tab=yaml/);
  await page.keyboard.press("Escape");

  await page.keyboard.type("gg");
  await expect(page.getByRole("group", { name: /^Graph: / })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Find in graph" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: /^2 of \d+$/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-node-id]:focus")).toContainText("web");
  await page.keyboard.type("ge");
  await expect(page).toHaveURL(/\/environments$/);
});

test("US13: a group leads to its projects, a project to its environments, and unknown values are shown as unknown", async ({
  page,
  sandbox,
}) => {
  const base = new URL(sandbox.endpoints.dashboard);
  await signIn(page, sandbox, { username: "maintainer", url: new URL("p/group/app", base).href });
  await page.goto(new URL("p/group/app", base).href);
  await expect(page).toHaveURL(/\/p\/group\/app\/environments$/);
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "group", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Projects in group" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: /group\/app/ })).toBeVisible();
  expect((await page.goto(new URL("p/no-such-project", base).href))?.status()).toBe(404);
  await expect(page.getByText("Nothing that you may see is called so")).toBeVisible();
  await page.goto(new URL("p/group/app/environments/nowhere", base).href);
  await expect(page.getByRole("link", { name: "Environments of the project" })).toBeVisible();
});
