// needs: control-plane
import type { Locator, Page } from "@playwright/test";

import { pick } from "../support/endpoints.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { defineKinds } from "../support/custom-kind.ts";
import { expect, test } from "../support/fixtures.ts";
import { haltProcesses } from "../support/process-control.ts";
import { applyWorlds } from "../worlds/apply-worlds.ts";
import type { FaultWorld } from "../worlds/fault-world.ts";
import { readWorlds } from "../worlds/read-worlds.ts";

const ENVIRONMENT = "preview";
/** What would change the statuses that are written here. */
const CONTROLLERS = ["kube-controller-manager", "kube-scheduler", "kwok"];
/** What takes longer than a test may, or what no cluster of ours can be made to say: the projection alone judges them (worlds/faults.test.ts). */
const NOT_HERE = new Set(["stuck-terminating", "certificate-expired", "min-ready"]);

test("each planted fault stands among the issues of the summary, with its cause and what to do", async ({ page, startSandbox }) => {
  const sandbox = await startSandbox([]);
  const { environments, kubeconfigs, pids } = sandbox.endpoints;
  const { namespace } = pick(environments, ({ name }) => name === ENVIRONMENT);
  const worlds = (await readWorlds(Date.now())).filter(({ id }) => !NOT_HERE.has(id)).map(ofVersionOne);
  await defineKinds(kubeconfigs.cluster, [{ group: "helm.toolkit.fluxcd.io", kind: "HelmRelease", plural: "helmreleases" }]);
  const wake = CONTROLLERS.map((name) => haltProcesses(pids.cluster[name] ?? 0));
  try {
    await applyWorlds(worlds, { kubeconfig: kubeconfigs.cluster, namespace });
    await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, ENVIRONMENT).replace("view=graph", "view=summary") });
    const why = page.getByRole("region", { name: "Why" });
    await why.getByRole("button", { name: /^Show \d+ more issues$/ }).click();
    for (const { id, says } of worlds.filter((world) => world.says.place === "issue")) await expectIssue(why, page, { id, says });
  } finally {
    for (const each of wake) each();
  }
});

/** The issues of the summary that name it, each of which may stand for several resources: one of them says it. */
async function expectIssue(why: Locator, page: Page, { id, says }: Pick<FaultWorld, "says"> & { readonly id: string }): Promise<void> {
  const [, name = ""] = says.of.split(" ");
  const issue = why.locator("[data-why]").filter({ has: page.getByRole("heading", { name: new RegExp(`(^|[ ,])${name}(:|,| and )`) }) });
  for (const words of [...says.cause, ...(says.next ?? [])])
    await expect.soft(issue.filter({ hasText: words }).first(), `${id}: ${words}`).toBeVisible({ timeout: 10_000 });
}

/** Our definition of the kind has one version. */
function ofVersionOne<T extends FaultWorld>(world: T): T {
  const objects = world.objects.map((object) =>
    object.kind === "HelmRelease" ? { ...object, apiVersion: "helm.toolkit.fluxcd.io/v1" } : object,
  );
  return { ...world, objects };
}
