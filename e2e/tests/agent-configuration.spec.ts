import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { send, targetOf } from "../support/bearer-request.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Sandbox } from "../support/sandbox.ts";

const run = promisify(execFile);
const FILE = ".gitlab/agents/demo/config.yaml";

/** Changes the agent's configuration as its owner does: clone, edit, commit, push. @returns the text before the change */
async function pushConfiguration(sandbox: Sandbox, change: (text: string) => string): Promise<string> {
  const clone = mkdtempSync(join(tmpdir(), "binnacle-clone-"));
  const git = (...args: string[]) => run("git", ["-C", clone, "-c", "user.name=Owner", "-c", "user.email=owner@example.com", ...args]);
  try {
    await run("git", ["clone", "--quiet", join(sandbox.endpoints.mainApplication.gitRoot, "group/app.git"), clone]);
    const before = readFileSync(join(clone, FILE), "utf8");
    writeFileSync(join(clone, FILE), change(before));
    await git("commit", "--quiet", "--all", "--message", "Change the agent's configuration");
    await git("push", "--quiet", "origin", "HEAD");
    return before;
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

test("a configuration without the project closes the door, a broken one changes nothing and says so", async ({ page, startSandbox }) => {
  test.setTimeout(300_000);
  const sandbox = await startSandbox([]);
  const target = targetOf(sandbox.endpoints.kubeconfigs.viaKas);
  const statusNow = async (): Promise<number> => {
    const answer = await send(target, "/version");
    await answer.body.dump();
    return answer.statusCode;
  };
  expect(await statusNow()).toBe(200);

  const good = await pushConfiguration(sandbox, (text) => text.replaceAll("group/app", "group/elsewhere"));
  // poll (20 s) + authorisation cache (60 s), or sooner
  await expect.poll(statusNow, { timeout: 100_000, intervals: [1_000] }).toBe(401);

  await pushConfiguration(sandbox, () => good);
  await expect.poll(statusNow, { timeout: 100_000, intervals: [1_000] }).toBe(200);
  await pushConfiguration(sandbox, (text) => `${text}\nuser_acess: { typo: true }\n`);
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(page.getByText(/agent configuration is broken/i)).toBeVisible({ timeout: 100_000 });
  await expect(page.getByText(/user_acess/)).toBeVisible();
  await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
  expect(await statusNow()).toBe(200);
});
