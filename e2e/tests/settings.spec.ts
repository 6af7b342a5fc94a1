import type { Browser, Locator, Page } from "@playwright/test";

import { signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { Sandbox } from "../support/sandbox.ts";

/** Its name ends like the page of its settings. */
const NAME = "a/settings";
const EMPTY = /^There are no resources found for the environment\. Do resources have .+ preserved labels\? See https?:\/\/\S+$/;

// Its own world: environments and the project's file change.
let sandbox: Sandbox;

test.beforeAll(async ({ cluster }) => {
  test.setTimeout(240_000);
  sandbox = await Sandbox.start({ cluster, flags: ["--agents", "2"] });
});

test.afterAll(() => sandbox.stop());

/** The settings of the environment as a user has them open. */
class SettingsPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, username: string): Promise<SettingsPage> {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 1200 } })).newPage();
    await signIn(page, sandbox, { username, url: urlOf("/-/settings") });
    const settings = new SettingsPage(page);
    await expect(page.getByRole("heading", { name: `Settings of ${NAME}` })).toBeVisible();
    await expect(settings.save).toBeVisible();
    return settings;
  }

  agent(name: string): Locator {
    return this.page.getByRole("radio", { name: new RegExp(`^${name} `) });
  }

  field(name: string): Locator {
    return this.page.getByLabel(name, { exact: true });
  }

  get preview(): Locator {
    return this.page.getByRole("region", { name: "Preview" });
  }

  get save(): Locator {
    return this.page.getByRole("button", { name: /^Save/ });
  }

  /** Saves, and waits for what became of file and main application. */
  async saved(file: string, mainApplication: string): Promise<void> {
    await this.save.click();
    const results = this.page.getByRole("status", { name: "Result" });
    await expect(results.locator("> div").nth(0)).toContainText(file);
    await expect(results.locator("> div").nth(1)).toContainText(mainApplication);
  }
}

function indexUrl(): string {
  return `${sandbox.endpoints.dashboard.replace(/\/$/, "")}/p/group/app/environments`;
}

function urlOf(below: string): string {
  return `${indexUrl()}/${encodeURIComponent(NAME)}${below}`;
}

test("a maintainer creates an environment with a preview of what it shows", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: indexUrl() });
  await page.getByRole("link", { name: "New environment" }).click();
  const settings = new SettingsPage(page);
  await settings.field("Name").fill(NAME);
  await settings.agent("demo").check();
  await settings.field("Namespaces").fill("production");
  await expect(settings.preview).toContainText(/\d+ resources match: .*Deployment.*of them also belong to environment production/);
  await expect(settings.preview).toContainText("You may list pods in production");
  await page.getByRole("button", { name: "Create environment" }).click();
  await page.getByRole("link", { name: "Open environment" }).click();
  await expect(page.getByRole("heading", { name: NAME })).toBeVisible();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page).toHaveURL(urlOf("/-/settings"));
  await expect(page.getByRole("heading", { name: `Settings of ${NAME}` })).toBeVisible();
});

test("a maintainer associates an agent that another project shares", async ({ browser }) => {
  const settings = await SettingsPage.open(browser, "maintainer");
  await expect(settings.page.getByText("group/deploy")).toBeVisible();
  await settings.agent("platform").check();
  await expect(settings.page.getByText("An environment has one agent: platform replaces demo.")).toBeVisible();
  await settings.field("Namespaces").fill("shop");
  await expect(settings.preview).toContainText("also belong to environment shop");
  await settings.saved("Nothing to change", "Saved");
  await expect(settings.page.getByText("Nothing has changed.")).toBeVisible();
  await settings.page.goto(urlOf("?view=list"));
  await expect(settings.page.getByText("Connected", { exact: false }).first()).toBeVisible();
});

test("a selector without a match shows the sentence of the blueprint", async ({ browser }) => {
  const settings = await SettingsPage.open(browser, "maintainer");
  await settings.field("Label selector").fill("app=nothing-has-this");
  await expect(settings.preview.getByText(EMPTY)).toBeVisible();
  await settings.field("Label selector").fill("app!=web");
  await expect(settings.preview).toContainText("The selector cannot be read");
});

test("several namespaces go to the file of the project, and the page shows both", async ({ browser }) => {
  const settings = await SettingsPage.open(browser, "maintainer");
  await settings.agent("demo").check();
  await settings.field("Namespaces").fill("production, staging");
  await settings.saved("Saved", "Saved");
  await settings.page.goto(urlOf("?view=graph"));
  await expect(settings.page.locator("[data-scope]")).toContainText("Namespaces production, staging");
});

test("of two maintainers the second sees the conflict, keeps what was entered, and saves after loading again", async ({ browser }) => {
  const [first, second] = [await SettingsPage.open(browser, "maintainer"), await SettingsPage.open(browser, "maintainer")];
  await first.field("Label selector").fill("app.kubernetes.io/name=web");
  await first.saved("Saved", "Nothing to change");
  await second.field("Namespaces").fill("production");
  await second.saved("Conflict", "Not tried");
  await second.page.getByRole("button", { name: "Load settings again" }).click();
  await expect(second.field("Label selector")).toHaveValue("app.kubernetes.io/name=web");
  await expect(second.field("Namespaces")).toHaveValue("production");
  await second.saved("Saved", "");
  await expect(second.page.getByText("Nothing has changed.")).toBeVisible();
});

test("a developer sees the settings, and why they cannot be changed", async ({ browser }) => {
  const settings = await SettingsPage.open(browser, "developer");
  await expect(
    settings.page.getByText(`You may not change environment ${NAME} of group/app. Ask a maintainer of the project.`).first(),
  ).toBeVisible();
  await expect(settings.agent("platform")).toBeDisabled();
  await expect(settings.page.getByRole("button", { name: "Stop environment" })).toBeDisabled();
});

test("a maintainer stops and deletes the environment by its name", async ({ browser }) => {
  const { page } = await SettingsPage.open(browser, "maintainer");
  await expect(page.getByText("Only a stopped environment can be deleted.")).toBeVisible();
  await page.getByRole("button", { name: "Stop environment" }).click();
  await page.getByRole("button", { name: "Stop environment" }).click();
  await page.getByRole("button", { name: "Delete environment" }).click();
  await page.getByLabel(`Type ${NAME} to confirm`).fill(NAME);
  await page.getByRole("button", { name: "Delete environment" }).click();
  await expect(page.getByText("The environment was deleted.")).toBeVisible();
  await page.goto(urlOf("/-/settings"));
  await expect(page.getByText("The settings could not be loaded.")).toBeVisible();
});
