// needs: control-plane
// long: twenty open pages, a minute
import type { Page } from "@playwright/test";

import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { openStreamsOf } from "../support/other-dashboard.ts";

const TABS = 20;
const NAMESPACES = Array.from({ length: 10 }, (_, index) => `tab-${index}`);

/** A namespace with a deployment in it that nothing has to run. */
const content = (namespace: string): string => `
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace} }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: of-${namespace}, namespace: ${namespace} }
spec:
  replicas: 0
  selector: { matchLabels: { app: x } }
  template: { metadata: { labels: { app: x } }, spec: { containers: [{ name: x, image: x }] } }
`;

test("W3, UB4: over plain HTTP twenty pages of ten environments are live on one stream, and the drawer of the first still answers", async ({
  page,
  sandbox: { endpoints: world },
  startSandbox,
}) => {
  const { cluster } = world.kubeconfigs;
  await kubectl(cluster, ["apply", "-f", "-"], NAMESPACES.map(content).join("---"));
  try {
    const sandbox = await startSandbox(["--kubeconfig", cluster, "--namespace", NAMESPACES.join(",")]);
    const openStreams = (): Promise<number> => openStreamsOf(sandbox.endpoints.observability.web);
    const first = new EnvironmentPage(page);
    await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "tab-0") });
    await expect(first.node("Deployment", "of-tab-0")).toBeVisible();
    const open = async (tab: number): Promise<Page> => {
      const name = `tab-${tab % NAMESPACES.length}`;
      const another = await page.context().newPage();
      await another.goto(graphUrl(sandbox, name));
      await expect(new EnvironmentPage(another).node("Deployment", `of-${name}`)).toBeVisible();
      return another;
    };
    const others: Page[] = [];
    while (others.length < TABS - 1) {
      const next = Array.from({ length: Math.min(5, TABS - 1 - others.length) }, (_, index) => open(others.length + 1 + index));
      others.push(...(await Promise.all(next)));
    }
    for (const each of [page, ...others]) await expect(each.getByText("Connected").first()).toBeVisible();
    await expect.poll(openStreams).toBe(1);
    await page.bringToFront();
    await first.node("Deployment", "of-tab-0").click();
    await page.getByRole("tab", { name: "YAML" }).click();
    await expect(page.getByText("apiVersion: apps/v1")).toBeVisible();
    // What happens in an environment shows in both of its pages.
    await kubectl(cluster, ["create", "configmap", "arrives", "-n", "tab-7"]);
    for (const index of [6, 16]) {
      await expect(new EnvironmentPage(others[index] ?? page).node("ConfigMap", "arrives")).toBeVisible();
    }
    // The pages go; the one that stays is still live.
    await Promise.all(others.map((another) => another.close()));
    await expect(page.getByText("Connected").first()).toBeVisible();
    await page.close();
    await expect.poll(openStreams).toBe(0);
  } finally {
    await kubectl(cluster, ["delete", "namespace", "--wait=false", ...NAMESPACES]);
  }
});
