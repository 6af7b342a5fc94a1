import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Program } from "@binnacle/testing";
import { expect, test } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { freePort } from "../support/free-port.ts";

const MAIN = fileURLToPath(new URL("../../apps/web/dev/sign-in-world.ts", import.meta.url));
const ENVIRONMENT = "/p/group/app/environments/production";

interface World {
  readonly url: string;
  readonly issuer: string;
  readonly controlUrl: string;
}

let program: Program;
let world: World;
let directory: string;

test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "sign-in-"));
  const readyFile = join(directory, "ready.json");
  // Tokens are renewed after two thirds of their life.
  const args = ["--ready-file", readyFile, "--port", String(await freePort()), "--token-seconds", "15"];
  program = await Program.start({ main: MAIN, args, readyFile, env: { NODE_ENV: "production" } });
  // It is the program's own.
  world = JSON.parse(readFileSync(readyFile, "utf8")) as World;
});

test.afterAll(async () => {
  await program.kill();
  rmSync(directory, { recursive: true, force: true });
});

/** Changes the world. @returns how many refresh tokens were used */
async function control(change = ""): Promise<number> {
  // It is the program's own.
  return ((await (await fetch(`${world.controlUrl}/${change}`)).json()) as { readonly renewals: number }).renewals;
}

test("a page leads to the provider and back to itself, and its tokens are renewed while two tabs are open", async ({ page, context }) => {
  await page.goto(`${world.url}${ENVIRONMENT}?kind=Pod`);
  await expect(page).toHaveURL(`${world.url}${ENVIRONMENT}?kind=Pod`);
  await expect(page.getByText("first").first()).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${world.url}${ENVIRONMENT}`);
  await expect(other.getByText("first").first()).toBeVisible();
  const before = await control();
  await expect.poll(() => control(), "two renewals come by themselves").toBeGreaterThanOrEqual(before + 2);
  for (const each of [page, other]) {
    await expect(each.getByText("Your session ended")).toHaveCount(0);
    await expect(each.getByText("first").first()).toBeVisible();
  }
  const cookie = await context.cookies();
  expect(cookie.find(({ name }) => name === "_binnacle_session")).toMatchObject({ httpOnly: true, sameSite: "Lax" });
});

test("what fails at the provider stands on the sign-in page in words, with the way back kept", async ({ page }) => {
  await control("?declines=1");
  await page.goto(`${world.url}${ENVIRONMENT}`);
  await expect(page.getByRole("alert")).toHaveText("Example ID did not sign you in: it was cancelled or refused there.");
  expect(await axeViolations(page)).toEqual([]);
  await control("?declines=0");
  await page.getByRole("link", { name: "Sign in with Example ID" }).click();
  await expect(page).toHaveURL(`${world.url}${ENVIRONMENT}`);
});

test("without a token for clusters the rest works, and the pasted one opens them", async ({ page }) => {
  await control("?refuse=1");
  await page.goto(`${world.url}/p/group/app/environments`);
  await expect(page.getByRole("link", { name: "production" }).first()).toBeVisible();
  await page.getByRole("link", { name: "production" }).first().click();
  await page.getByRole("link", { name: "Add a token" }).click();
  await page.getByLabel("Token for clusters").fill("glpat-pasted");
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Use this token" }).click();
  await expect(page).toHaveURL(`${world.url}${ENVIRONMENT}`);
  await expect(page.getByText("first").first()).toBeVisible();
  await control("?refuse=0");
});

test("signing out ends the provider's session too, and says so", async ({ page }) => {
  await page.goto(`${world.url}${ENVIRONMENT}`);
  await page.getByRole("button", { name: "ann" }).click();
  await expect(page.getByText("You are signed in with Example ID.")).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(new RegExp(`^${world.issuer}/session/end`));
  await page.locator("form").evaluate((form: HTMLFormElement) => form.submit());
  await expect(page).toHaveURL(`${world.url}/sign-in?signed_out=everywhere`);
  await expect(page.getByRole("status").filter({ hasText: "You are signed out." })).toBeVisible();
});
