import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";

test("the session cookie alone is enough: two host names, every token revoked", async ({ page, startSandbox }) => {
  const sandbox = await startSandbox(["--host-names"]);
  const { dashboard, mainApplication, users } = sandbox.endpoints;
  expect(new URL(dashboard).hostname).toBe("app.localhost");
  const internal = mainApplication.url.replace("app.localhost", "127.0.0.1");
  const revoked = await fetch(`${internal}/-/sandbox/revoke-tokens`, { method: "POST" });
  expect(revoked.ok).toBe(true);
  const token = users.find((user) => user.username === "maintainer")?.personalAccessToken ?? "";
  const byToken = await fetch(mainApplication.graphql.replace("app.localhost", "127.0.0.1"), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: "{ currentUser { username } }" }),
  });
  expect(byToken.status).toBe(401);

  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  const view = new EnvironmentPage(page);
  await expect(view.node("Deployment", "web")).toBeVisible();
  await expect(view.health).toHaveAttribute("data-health", "healthy");
});
