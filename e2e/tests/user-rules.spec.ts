// needs: control-plane
import { randomBytes } from "node:crypto";

import { definitionOf } from "../support/custom-kind.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";

/** Argo CD's ConfigMap with rules for two names, which only the maintainer may read. */
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
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: argocd-cm-reader, namespace: argocd }
rules: [{ apiGroups: [""], resources: [configmaps], resourceNames: [argocd-cm], verbs: [get] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: argocd-cm-reader, namespace: argocd }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: argocd-cm-reader }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: "gitlab:user:maintainer" }]
`;
}

test("Argo CD's rule decides for whoever may read it, and a script without end is Unknown with its reason", async ({
  browser,
  sandbox,
}) => {
  const { cluster } = sandbox.endpoints.kubeconfigs;
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  const word = `r${randomBytes(3).toString("hex")}`;
  const kind = { group: `${word}.example.com`, kind: "Till", plural: "tills" };
  const till = (name: string): string =>
    `apiVersion: ${word}.example.com/v1\nkind: Till\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec: { opens: noon }\n`;
  await kubectl(cluster, ["apply", "-f", "-"], `${definitionOf(kind)}---\n${customizations(word)}`);
  try {
    await kubectl(cluster, ["wait", "--for=condition=Established", `crd/tills.${word}.example.com`]);
    await kubectl(cluster, ["apply", "-f", "-"], `${till("north")}---\n${till("endless")}`);
    for (const name of ["north", "endless"]) {
      const patch = JSON.stringify({ status: { phase: "Up" } });
      const what = [`tills.${word}.example.com`, name, "-n", namespace];
      await kubectl(cluster, ["patch", ...what, "--subresource=status", "--type=merge", "-p", patch]);
    }

    const maintainer = new EnvironmentPage(await (await browser.newContext()).newPage());
    await signIn(maintainer.page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
    await expect(maintainer.node("Till", "north")).toHaveAttribute("data-health", "suspended", { timeout: 90_000 });
    await expect(maintainer.node("Till", "endless")).toHaveAttribute("data-health", "unknown");
    await maintainer.node("Till", "north").click();
    const drawer = maintainer.page.getByRole("complementary");
    await expect(drawer).toContainText("closed for stocktaking until noon");
    await expect(drawer).toContainText(`resource.customizations.health.${word}.example.com_Till`);
    await maintainer.page.context().close();

    const developer = new EnvironmentPage(await (await browser.newContext()).newPage());
    await signIn(developer.page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
    await expect(developer.node("Till", "north")).toHaveAttribute("data-health", "healthy", { timeout: 90_000 });
    await expect(developer.node("Till", "endless")).toHaveAttribute("data-health", "healthy");
    await developer.page.context().close();
  } finally {
    await kubectl(cluster, ["delete", `crd/tills.${word}.example.com`]);
    await kubectl(cluster, ["delete", "namespace", "argocd", "--wait=false"]);
  }
});
