import { send, targetOf } from "../support/bearer-request.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { pushConfiguration } from "../support/push-configuration.ts";

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
