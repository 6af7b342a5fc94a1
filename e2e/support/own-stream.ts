import type { BrowserContext, Page } from "@playwright/test";

/** The page shares nothing with others, and so has a stream of its own: a test sees nothing of what a worker or another page sends and gets. */
export async function giveOwnStream(page: Page): Promise<void> {
  await takeAway(page, "SharedWorker", "BroadcastChannel");
}

/** Pages lack something that browsers have. */
export async function takeAway(from: Page | BrowserContext, ...names: readonly ("SharedWorker" | "BroadcastChannel")[]): Promise<void> {
  await from.addInitScript((missing) => {
    for (const name of missing) Reflect.deleteProperty(globalThis, name);
  }, names);
}
