// needs: control-plane
import { randomBytes } from "node:crypto";

import { defineKinds } from "../support/custom-kind.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { logLines } from "../support/log-lines.ts";

/** What the dashboard logs when an agent does not make a requested view. */
const MADE_HERE = "a view of an agent is made here instead";

/** Argo CD's ConfigMap with a rule that never ends for one name. The viewers of the demo may read it. */
function customizations(word: string): string {
  return `apiVersion: v1
kind: Namespace
metadata: { name: argocd }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: argocd-cm, namespace: argocd }
data:
  resource.customizations.health.${word}.example.com_Till: |
    hs = {}
    if obj.metadata.name == "endless" then
      while true do end
    end
    hs.status = "Suspended"
    hs.message = "closed for stocktaking until " .. obj.spec.opens
    return hs
`;
}

test("Argo CD's rule decides while it is in the cluster, and a script without end is Unknown", async ({ page, sandbox }) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  const word = `r${randomBytes(3).toString("hex")}`;
  const till = (name: string): string =>
    `apiVersion: ${word}.example.com/v1\nkind: Till\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec: { opens: noon }\n`;
  const undefine = await defineKinds(cluster, [{ group: `${word}.example.com`, kind: "Till", plural: "tills" }]);
  try {
    await kubectl(cluster, ["apply", "-f", "-"], `${till("north")}---\n${till("endless")}`);
    for (const name of ["north", "endless"]) {
      const patch = JSON.stringify({ status: { phase: "Up" } });
      const what = [`tills.${word}.example.com`, name, "-n", namespace];
      await kubectl(cluster, ["patch", ...what, "--subresource=status", "--type=merge", "-p", patch]);
    }

    const view = new EnvironmentPage(page);
    await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
    for (const name of ["north", "endless"]) await expect(view.node("Till", name)).toHaveAttribute("data-health", "healthy");
    // Now nothing changes any more: each change of the endless one would be a strike, and three switch the rule off for both.
    await kubectl(cluster, ["apply", "-f", "-"], customizations(word));
    await expect(view.node("Till", "north")).toHaveAttribute("data-health", "suspended", { timeout: 90_000 });
    await expect(view.node("Till", "endless")).toHaveAttribute("data-health", "unknown");
    // It is the agent that has judged (docs/design/views.md "Health rules of users").
    expect(logLines(sandbox, "web").filter(({ msg }) => msg === MADE_HERE)).toEqual([]);
    await view.mark();
    await view.node("Till", "north").press("Enter");
    const drawer = page.getByRole("complementary");
    await expect(drawer).toContainText("closed for stocktaking until noon");
    await expect(drawer).toContainText(`resource.customizations.health.${word}.example.com_Till`);

    await kubectl(cluster, ["delete", "configmap", "argocd-cm", "-n", "argocd"]);
    for (const name of ["north", "endless"]) {
      await expect(view.node("Till", name)).toHaveAttribute("data-health", "healthy", { timeout: 90_000 });
    }
    await view.expectNoReload();
  } finally {
    await undefine();
    await kubectl(cluster, ["delete", "namespace", "argocd", "--wait=false"]);
  }
});

test("Flux's health check decides for what its Kustomization applied, and the drawer says who applied it", async ({ page, sandbox }) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  const word = `f${randomBytes(3).toString("hex")}`;
  const group = `${word}.example.com`;
  const undefine = await defineKinds(cluster, [
    { group, kind: "Till", plural: "tills" },
    { group: "kustomize.toolkit.fluxcd.io", kind: "Kustomization", plural: "kustomizations" },
  ]);
  try {
    await kubectl(
      cluster,
      ["apply", "-f", "-"],
      `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: shop, namespace: ${namespace} }
spec:
  healthCheckExprs:
    - apiVersion: ${group}/v1
      kind: Till
      failed: spec.drawer == 'stuck'
      current: spec.drawer == 'shut'
---
apiVersion: ${group}/v1
kind: Till
metadata:
  name: north
  namespace: ${namespace}
  labels: { kustomize.toolkit.fluxcd.io/name: shop, kustomize.toolkit.fluxcd.io/namespace: ${namespace} }
spec: { drawer: stuck }
`,
    );

    const view = new EnvironmentPage(page);
    await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
    await expect(view.node("Till", "north")).toHaveAttribute("data-health", "degraded", { timeout: 90_000 });
    await view.mark();
    await view.node("Till", "north").press("Enter");
    const drawer = page.getByRole("complementary");
    await expect(drawer).toContainText(`Kustomization ${namespace}/shop`);
    await expect(drawer).toContainText("Managed directly by Flux");
    await kubectl(cluster, ["patch", `tills.${group}`, "north", "-n", namespace, "--type=merge", "-p", '{"spec":{"drawer":"shut"}}']);
    await expect(view.node("Till", "north")).toHaveAttribute("data-health", "healthy");
    await view.expectNoReload();
  } finally {
    await undefine();
  }
});
