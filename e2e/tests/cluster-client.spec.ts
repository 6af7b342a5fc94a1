// needs: control-plane
import { join } from "node:path";

import { build } from "esbuild";

import { pick } from "../support/endpoints.ts";
import { signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";

test.use({ ignoreHTTPSErrors: true });

test("GitLab's browser client lists and watches through the k8s-proxy with cookie and CSRF token", async ({ page, startSandbox }) => {
  // One of its own: browsers reach it by names and TLS.
  const sandbox = await startSandbox(["--tls", "--host-names"]);
  const { mainApplication, environments, kas, kubeconfigs } = sandbox.endpoints;
  const environment = pick(environments, (entry) => entry.name === "production");
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, "..", "browser", "cluster-client-page.ts")],
    bundle: true,
    format: "iife",
    write: false,
  });
  await signIn(page, sandbox, { username: "maintainer", url: environment.url });
  // GitLab's own page of the environment: it sets the cookie and carries the token.
  await page.goto(`${mainApplication.url.replace(/\/$/, "")}/group/app/-/environments/1`);
  const csrfToken = (await page.locator("meta[name=csrf-token]").getAttribute("content")) ?? "";
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? "" });
  const proxy = new URL(kas[0]?.urlPathPrefix ?? "/", kas[0]?.k8sProxy ?? "").href.replace(/\/$/, "");
  await page.evaluate((input) => window.clusterClient.start(input), {
    basePath: proxy,
    agentId: environment.agentId,
    csrfToken,
    namespace: environment.namespace,
  });
  const state = () => page.evaluate(() => window.clusterClient.state);
  expect((await state()).listed).toContain("kube-root-ca.crt");
  await expect.poll(async () => (await state()).watched).toContain("kube-root-ca.crt");
  await kubectl(kubeconfigs.cluster, ["create", "configmap", "seen-by-gitlab", "-n", environment.namespace]);
  await expect.poll(async () => (await state()).watched).toContain("seen-by-gitlab");
  await kubectl(kubeconfigs.cluster, ["delete", "configmap", "seen-by-gitlab", "-n", environment.namespace]);
  await expect.poll(async () => (await state()).watched).not.toContain("seen-by-gitlab");
  expect((await state()).errors).toEqual([]);
});
