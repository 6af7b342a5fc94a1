import { expect, type Locator, type Page } from "@playwright/test";

import { pick } from "./endpoints.ts";
import type { Sandbox } from "./sandbox.ts";

/** Signs in at the main application as a person does, and comes back to `url`. */
export async function signIn(page: Page, sandbox: Sandbox, who: { readonly username: string; readonly url: string }): Promise<void> {
  const user = pick(sandbox.endpoints.users, (entry) => entry.username === who.username);
  await page.goto(who.url);
  await page.getByLabel(/^User ?name$/i).fill(user.username);
  await page.getByLabel("Password").fill(user.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.href.startsWith(who.url.split("?")[0] ?? who.url));
}

/** URL of an environment's graph. */
export function graphUrl(sandbox: Sandbox, environment: string): string {
  return `${pick(sandbox.endpoints.environments, (entry) => entry.name === environment).url}?view=graph`;
}

/** The page of one environment, read as a person reads it. */
export class EnvironmentPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The pill with the roll-up. */
  get health(): Locator {
    return this.page.locator("[data-health][data-partial]");
  }

  /** Cards whose accessible name begins with kind and name. */
  node(kind: string, name: string): Locator {
    return this.page.getByRole("button", { name: new RegExp(`^${kind} ${name}[ ,]`) });
  }

  /** All cards of a kind whose name begins with `prefix`. */
  nodes(kind: string, prefix: string): Locator {
    return this.page.getByRole("button", { name: new RegExp(`^${kind} ${prefix}`) });
  }

  /** A mark that is gone after any reload. */
  async mark(): Promise<void> {
    await this.page.evaluate(() => document.documentElement.setAttribute("data-e2e-mark", "1"));
  }

  async expectNoReload(): Promise<void> {
    await expect(this.page.locator("html")).toHaveAttribute("data-e2e-mark", "1");
  }
}
