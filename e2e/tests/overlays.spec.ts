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
  // The button is in the first HTML already, where nobody listens to it.
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
  await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
  await expect(page.getByRole("searchbox", { name: "Find resources" })).toHaveCount(0);
  await page.mouse.click(10, 300);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("searchbox", { name: "Find resources" })).toBeVisible();
});
