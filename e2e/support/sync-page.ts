import { expect, type Locator, type Page } from "@playwright/test";

import { graphUrl, signIn } from "./environment-page.ts";
import type { Sandbox } from "./sandbox.ts";

/** A page polls each second; agentk polls its inventory each ten. */
export const LATE_MS = 40_000;

/** The sync of an environment on its summary: its pill, its card, and the deployed commit. */
export class SyncPage {
  readonly pill: Locator;
  readonly card: Locator;
  readonly deployed: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.pill = page.locator("[data-sync]");
    this.card = page.locator("[data-sync-of]");
    this.deployed = page.locator("[data-deployed]");
  }

  /** Opens the summary as the maintainer. */
  async open(sandbox: Sandbox, environment: string): Promise<void> {
    const url = graphUrl(sandbox, environment).replace("view=graph", "view=summary");
    await signIn(this.#page, sandbox, { username: "maintainer", url });
  }

  /** Waits until the page shows this state of the sync of a commit. */
  async expect(state: string, commit: string): Promise<void> {
    await expect(this.card).toContainText(commit.slice(0, 8), { timeout: LATE_MS });
    await expect(this.pill).toHaveAttribute("data-sync", state, { timeout: LATE_MS });
  }
}

/** The tab Manifest of the open drawer. */
export class ManifestDiffPanel {
  readonly panel: Locator;

  constructor(page: Page) {
    this.panel = page.getByRole("tabpanel", { name: "Manifest" });
  }

  async show(): Promise<void> {
    await this.panel.getByRole("button", { name: "Diff" }).click();
  }

  async showFields(): Promise<void> {
    await this.panel.getByRole("button", { name: "Fields" }).click();
  }

  /** Waits until each side has its line. */
  async expect(desired: string, live: string): Promise<void> {
    await expect(this.panel.locator('[data-run="desired"]')).toContainText(desired);
    await expect(this.panel.locator('[data-run="live"]')).toContainText(live);
  }
}
