// needs: control-plane
import { randomBytes } from "node:crypto";

import { defineKinds } from "../support/custom-kind.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";

test("a kind made while the page is open appears in the graph with its health", async ({ page, sandbox }) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  const namespace = pick(sandbox.endpoints.environments, (entry) => entry.name === "production").namespace;
  const word = `x${randomBytes(3).toString("hex")}`;
  const view = new EnvironmentPage(page);
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
  await expect(view.node("Deployment", "web")).toBeVisible();
  await view.mark();

  const undefine = await defineKinds(cluster, [{ group: `${word}.example.com`, kind: `K${word}`, plural: `k${word}s` }]);
  const object = (status: string): string =>
    `apiVersion: ${word}.example.com/v1\nkind: K${word}\nmetadata: { name: thing, namespace: ${namespace} }\n${status}`;
  await kubectl(cluster, ["apply", "-f", "-"], object(""));
  await expect(view.node(`K${word}`, "thing")).toHaveAttribute("data-health", "progressing", { timeout: 90_000 });

  const broken = {
    status: {
      conditions: [
        {
          type: "Ready",
          status: "False",
          reason: "ValveStuck",
          message: "the valve is stuck",
          lastTransitionTime: new Date().toISOString(),
        },
      ],
    },
  };
  await kubectl(cluster, [
    "patch",
    `k${word}s.${word}.example.com`,
    "thing",
    "-n",
    namespace,
    "--subresource=status",
    "--type=merge",
    "-p",
    JSON.stringify(broken),
  ]);
  await expect(view.node(`K${word}`, "thing")).toHaveAttribute("data-health", "degraded");
  await expect(view.node(`K${word}`, "thing")).toContainText("ValveStuck");
  await view.node(`K${word}`, "thing").click();
  const drawer = page.getByRole("complementary", { name: `K${word} thing` });
  await expect(drawer.getByText("Decided by: condition Ready is False (ValveStuck)")).toBeVisible();
  await undefine();
  await expect(view.node(`K${word}`, "thing")).toHaveCount(0);
  await view.expectNoReload();
});
