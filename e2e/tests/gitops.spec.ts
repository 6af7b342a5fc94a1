// needs: control-plane

import { axeViolations } from "../support/axe.ts";
import { kubectl, runKubectl } from "../support/kubectl.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { logLines } from "../support/log-lines.ts";
import { ManifestClone } from "../support/manifest-clone.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { syncEnded } from "../support/sync-ended.ts";
import { LATE_MS, ManifestDiffPanel, SyncPage } from "../support/sync-page.ts";

const NAMESPACE = "production";

// The only file that pushes to group/app and that changes production: it deploys the configuration of the agent, too, and restores both.
let sandbox: Sandbox;
let clone: ManifestClone;
let folder: string;
let manifestProject: string;

test.beforeAll(async ({ mutableSandbox }) => {
  sandbox = mutableSandbox;
  const { project, repository, directory } = pick(sandbox.endpoints.manifestProjects, ({ environment }) => environment === NAMESPACE);
  expect(sandbox.output, "the path is printed").toContain(repository);
  clone = await ManifestClone.of(repository);
  folder = directory;
  manifestProject = project;
});

test.afterAll(() => clone?.dispose());

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);
const exists = async (kind: string, name: string): Promise<boolean> =>
  (await runKubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, "get", kind, name])).code === 0;

/** Name and uid of what production is made of: a thing that was pruned and made again has another one. */
const identities = () =>
  direct(
    "get",
    "deployments,statefulsets,services,configmaps,secrets",
    "-o",
    "jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.uid}{'\\n'}{end}",
  );

const workload = (image: string, name = "greeter") => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers: [{ name: app, image: "${image}" }]
`;
const settings = (name: string, colour: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name} }
data: { colour: ${colour} }
`;

const outcomeOf = (commit: string) => syncEnded(sandbox, commit);

/** What agentk warned of about a commit. */
const warningsOf = (commit: string) => logLines(sandbox, "agentk").filter(({ level, commit_id: id }) => level === "warn" && id === commit);

test("a push goes to the cluster and onto the open page, and a file that is removed takes its objects along", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, NAMESPACE) });
  const shown = new EnvironmentPage(page);
  await expect(shown.node("Deployment", "web")).toBeVisible();
  await shown.mark();

  clone.write(`${folder}/60-greeter.yaml`, workload("registry.example.test/greeter:1"));
  const first = await clone.push("Greet");
  expect(await outcomeOf(first)).toMatchObject({ state: "synced", failed: 0, pruned: 0 });
  await expect(shown.node("Deployment", "greeter")).toHaveAccessibleName(/Healthy/);

  clone.write(`${folder}/60-greeter.yaml`, workload("nosuch.invalid/greeter:2"));
  await outcomeOf(await clone.push("Greet with an image that does not exist"));
  expect(await direct("get", "deployment", "greeter", "-o", "jsonpath={..image}")).toBe("nosuch.invalid/greeter:2");
  await expect(shown.nodes("Pod", "greeter-").and(page.getByRole("button", { name: /Degraded/ }))).toBeVisible();

  clone.write(`${folder}/60-greeter.yaml`, workload("registry.example.test/greeter:3"));
  await outcomeOf(await clone.push("Greet again"));
  await expect(shown.nodes("Pod", "greeter-").and(page.getByRole("button", { name: /Degraded/ }))).toHaveCount(0);
  await expect(shown.node("Deployment", "greeter")).toHaveAccessibleName(/Healthy/);

  await clone.remove(`${folder}/60-greeter.yaml`);
  expect(await outcomeOf(await clone.push("Greet no more"))).toMatchObject({ state: "synced", pruned: 1 });
  await expect(shown.node("Deployment", "greeter")).toHaveCount(0);
  await expect.poll(() => exists("deployment", "greeter")).toBe(false);
  await shown.expectNoReload();
});

test("B1, B2: of a commit with a broken manifest nothing is applied, and index, issues and events say so, also after kas was killed; the next good one is", async ({
  page,
}) => {
  const shown = new SyncPage(page);
  await shown.open(sandbox, NAMESPACE);
  const before = await identities();
  clone.write(`${folder}/70-good.yaml`, settings("good", "blue"));
  clone.write(`${folder}/71-broken.yaml`, `${settings("fine", "red")}---\napiVersion: v1\nkind: [ConfigMap\n`);
  const broken = await clone.push("Break a manifest");
  expect(await outcomeOf(broken)).toMatchObject({ state: "invalid", applied: 0, pruned: 0 });
  expect(warningsOf(broken)).toContainEqual(expect.objectContaining({ source: `${folder}/71-broken.yaml`, line: expect.any(Number) }));
  expect(await identities()).toBe(before);
  await shown.expect("Not deployed", broken);
  await expect(shown.card).toContainText(new RegExp(`${folder}/71-broken\\.yaml:\\d+: `));
  // What is deployed is the commit before it.
  await expect(shown.deployed).not.toHaveAttribute("data-deployed", broken);
  await expect(shown.card).toContainText("Break a manifest");
  const issue = page.getByRole("listitem").filter({ hasText: `commit ${broken.slice(0, 8)} refused` });
  await expect(issue).toContainText(`${folder}/71-broken.yaml:`);
  await expect(shown.card).not.toContainText(/Objects\s*0/);

  const address = page.url();
  await page.goto(address.replace("view=summary", "view=events"));
  await expect(page.getByText(`Commit ${broken.slice(0, 8)}`).first()).toContainText("refused: invalid manifests");
  await page.goto(address.replace(/\/environments\/.*$/, "/environments"));
  const row = page.locator(`[data-environment="${NAMESPACE}"]`);
  await expect(row.locator("[data-sync]")).toHaveAttribute("data-sync", "Not deployed");
  await expect(row).toContainText(/All \d+ checked resources are healthy; the last commit is not deployed/);
  await expect(row.locator("[data-deployed]")).not.toHaveAttribute("data-deployed", broken);
  await expect(page.getByText(/needs? attention/)).toBeVisible();
  await page.locator('[data-sync-filter="degraded"]').click();
  await expect(page.locator("[data-environment]")).toHaveCount(1);

  // Whatever is shown meanwhile, it is never that there was none.
  process.kill(
    pick(sandbox.endpoints.pids.kas, () => true),
    "SIGKILL",
  );
  await page.goto(address);
  const none = page.getByText("No deployment yet");
  await expect(none).toHaveCount(0);
  await shown.expect("Not deployed", broken);
  await expect(none).toHaveCount(0);
  await expect(shown.card).toContainText(new RegExp(`${folder}/71-broken\\.yaml:\\d+: `), { timeout: LATE_MS });

  await clone.remove(`${folder}/71-broken.yaml`);
  const fixed = await clone.push("Fix it");
  expect(await outcomeOf(fixed)).toMatchObject({ state: "synced", pruned: 0 });
  await shown.expect("Synced", fixed);
  await expect(shown.deployed).toHaveAttribute("data-deployed", fixed);
  await expect(shown.deployed).toContainText("applied by GitOps");
  await expect(shown.card).toContainText("Fix it");
  expect(await exists("configmap", "good")).toBe(true);
});

test("one that the API server refuses leaves the others alone", async ({ page }) => {
  const shown = new SyncPage(page);
  await shown.open(sandbox, NAMESPACE);
  clone.write(`${folder}/72-refused.yaml`, workload("", "refused").replace("selector: { matchLabels: { app: refused } }", "replicas: -1"));
  clone.write(`${folder}/73-beside.yaml`, settings("beside", "green"));
  const commit = await clone.push("Add one that is refused");
  expect(await outcomeOf(commit)).toMatchObject({ state: "failed", failed: 1, pruned: 0 });
  expect(warningsOf(commit)).toContainEqual(expect.objectContaining({ source: `${folder}/72-refused.yaml`, name: "refused" }));
  expect([await exists("configmap", "beside"), await exists("deployment", "refused")]).toEqual([true, false]);
  await shown.expect("Failed", commit);
  await expect(shown.card.getByRole("listitem")).toContainText("Deployment production/refused");
  await expect(shown.card.getByRole("listitem")).toContainText(`${folder}/72-refused.yaml:`);
  await clone.remove(`${folder}/72-refused.yaml`);
  expect(await outcomeOf(await clone.push("Take it back"))).toMatchObject({ state: "synced" });
});

test("a deleted object comes back with the next commit; a changed field stays with its manager, who is named", async () => {
  await direct("delete", "service", "api");
  await direct("set", "image", "deployment/worker", "app=registry.example.test/by-hand:1");
  clone.write(`${folder}/70-good.yaml`, settings("good", "white"));
  const commit = await clone.push("Change something else");
  expect(await outcomeOf(commit)).toMatchObject({ state: "conflicting", failed: 0 });
  expect(await exists("service", "api")).toBe(true);
  expect(await direct("get", "configmap", "good", "-o", "jsonpath={.data.colour}")).toBe("white");

  const wanted = "registry.example.test/shop/worker:2.0.1";
  expect(await direct("get", "deployment", "worker", "-o", "jsonpath={..image}")).toBe("registry.example.test/by-hand:1");
  expect(warningsOf(commit)).toContainEqual(expect.objectContaining({ name: "worker", reason: expect.stringContaining("kubectl-set") }));
  // As a user may fix it: the field goes back to the value of the manifest, so that no manager disagrees.
  await direct("set", "image", "deployment/worker", `app=${wanted}`);
  clone.write(`${folder}/70-good.yaml`, settings("good", "black"));
  expect(await outcomeOf(await clone.push("And again"))).toMatchObject({ state: "synced", failed: 0 });
});

test("B4: the Manifest tab shows the diff of a partially applied commit and after a refused one, and remembers the view", async ({
  page,
}) => {
  await direct("set", "image", "deployment/worker", "app=registry.example.test/by-hand:3");
  clone.write(`${folder}/72-refused.yaml`, workload("", "refused").replace("selector: { matchLabels: { app: refused } }", "replicas: -1"));
  const partial = await clone.push("Add one that is refused beside what was changed by hand");
  expect(await outcomeOf(partial)).toMatchObject({ state: "failed", failed: 1 });

  const worker = `${graphUrl(sandbox, NAMESPACE).replace("view=graph", "view=list")}&sel=apps/deployments/${NAMESPACE}/worker&tab=manifest`;
  await signIn(page, sandbox, { username: "maintainer", url: worker });
  const diff = new ManifestDiffPanel(page);
  await diff.show();
  await diff.expect("shop/worker:2.0.1", "by-hand:3");
  await expect(diff.panel).toContainText(/1 of \d+ fields differs from the manifest\./);
  await expect(diff.panel.getByRole("link", { name: new RegExp(`^${folder}/50-background\\.yaml:\\d+`) })).toHaveAttribute(
    "href",
    new RegExp(`/-/blob/${partial}/${folder}/50-background\\.yaml#L1$`),
  );
  const unchanged = diff.panel.getByRole("button", { name: /^Show \d+ unchanged lines$/ });
  const folded = await unchanged.count();
  await unchanged.first().click();
  await expect(unchanged).toHaveCount(folded - 1);
  expect(await axeViolations(page)).toEqual([]);

  clone.write(`${folder}/71-broken.yaml`, "apiVersion: v1\nkind: [ConfigMap\n");
  const refused = await clone.push("Break a manifest beside it");
  expect(await outcomeOf(refused)).toMatchObject({ state: "invalid" });
  await page.goto(worker);
  // The switch is as it was left.
  await diff.expect("shop/worker:2.0.1", "by-hand:3");

  await direct("set", "image", "deployment/worker", "app=registry.example.test/shop/worker:2.0.1");
  await expect(diff.panel).toContainText(/All \d+ fields match Git\./);
  await diff.showFields();
  await clone.remove(`${folder}/71-broken.yaml`);
  await clone.remove(`${folder}/72-refused.yaml`);
  expect(await outcomeOf(await clone.push("Take both back"))).toMatchObject({ state: "synced" });
});

test("B4: an object of Argo CD is compared with the state applied last, and for Flux the page states that Git's values are not available", async ({
  page,
}) => {
  const config = (name: string, metadata: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, ${metadata} }\ndata: { colour: blue }\n`;
  const tracking = `annotations: { argocd.argoproj.io/tracking-id: "shop:/ConfigMap:${NAMESPACE}/of-argo" }`;
  const labels = "labels: { kustomize.toolkit.fluxcd.io/name: shop, kustomize.toolkit.fluxcd.io/namespace: flux-system }";
  const cluster = sandbox.endpoints.kubeconfigs.cluster;
  await kubectl(cluster, ["-n", NAMESPACE, "apply", "-f", "-"], config("of-argo", tracking));
  await kubectl(cluster, ["-n", NAMESPACE, "apply", "--server-side", "-f", "-"], config("of-flux", labels));
  await direct("patch", "configmap", "of-argo", "--type=merge", "-p", JSON.stringify({ data: { colour: "red" } }));
  const address = (name: string): string =>
    `${graphUrl(sandbox, NAMESPACE).replace("view=graph", "view=list")}&sel=core/configmaps/${NAMESPACE}/${name}&tab=manifest`;
  await signIn(page, sandbox, { username: "maintainer", url: address("of-argo") });
  const diff = new ManifestDiffPanel(page);
  await expect(diff.panel).toContainText("Compared with the state that Argo CD (Application shop) applied last, as annotation kubectl");
  await expect(diff.panel).toContainText("1 of 2 fields differs from the state applied last.");
  await diff.show();
  await diff.expect("colour: blue", "colour: red");
  await diff.showFields();
  await page.goto(address("of-flux"));
  await expect(diff.panel).toContainText("Not compared: Flux (Kustomization flux-system/shop) uses server-side apply");
  await direct("delete", "configmap", "of-argo", "of-flux");
});

test("where drift is shown, a changed field is shown and left, until a sync is requested", async ({ page }) => {
  const shown = new SyncPage(page);
  await shown.open(sandbox, NAMESPACE);
  const options = (text: string) =>
    clone.write(".gitlab/agents/demo/binnacle.yaml", `gitops:\n  manifest_projects:\n    - { id: ${manifestProject}, ${text} }\n`);
  options("drift: show, force_conflicts: true");
  const commit = await clone.push("Show drift");
  await shown.expect("Synced", commit);
  const inventory = (await direct("get", "configmaps", "-l", "cli-utils.sigs.k8s.io/inventory-id", "-o", "name")).trim();
  const annotate = (text: string) => direct("annotate", inventory, text, "--overwrite");
  // With this message the commit was applied with the new options.
  await expect.poll(() => direct("get", inventory, "-o", "jsonpath={.metadata.annotations.gitops\\.binnacle/applied}")).toContain(commit);

  await annotate("gitops.binnacle/paused=true");
  await shown.expect("Paused", commit);
  await direct("set", "image", "deployment/worker", "app=registry.example.test/by-hand:2");
  await annotate("gitops.binnacle/paused-");
  await shown.expect("Out of sync", commit);
  await expect(shown.pill).toContainText("1 object");
  await expect(shown.card.getByRole("listitem")).toContainText("Deployment production/worker");
  await expect(shown.card.getByRole("listitem")).toContainText("changed by hand: image, by kubectl-set");
  await expect(shown.deployed).toHaveAttribute("data-deployed", commit);
  await shown.card.getByRole("link", { name: "Deployment production/worker" }).click();
  await expect(page.locator("aside").getByRole("link", { name: new RegExp(`^${folder}/.*\\.yaml:\\d+`) })).toHaveAttribute(
    "href",
    new RegExp(`/-/blob/${commit}/${folder}/`),
  );
  await expect(page.getByRole("dialog").or(page.locator("aside"))).toContainText("It differs from the commit");
  expect(await direct("get", "deployment", "worker", "-o", "jsonpath={..image}")).toBe("registry.example.test/by-hand:2");

  const diff = new ManifestDiffPanel(page);
  // Field by field, with the line that each comes from, and who has written what the manifest does not say.
  await page.getByRole("tab", { name: "Manifest" }).click();
  const image = page.locator(`[data-field="spec.template.spec.containers[app].image"]`);
  await expect(image).toContainText(
    "Manifestregistry.example.test/shop/worker:2.0.1Clusterregistry.example.test/by-hand:2written by kubectl-set",
  );
  await expect(page.locator("[data-field]")).toHaveCount(1);
  const line = clone.lineOf(`${folder}/50-background.yaml`, "shop/worker:2.0.1");
  await expect(image.getByRole("link", { name: `line ${line}` })).toHaveAttribute(
    "href",
    new RegExp(`/-/blob/${commit}/${folder}/50-background.yaml#L${line}$`),
  );

  await diff.show();
  await diff.expect("shop/worker:2.0.1", "by-hand:2");
  await diff.showFields();

  await annotate("gitops.binnacle/sync-requested=drift");
  await shown.expect("Synced", commit);
  expect(await direct("get", "deployment", "worker", "-o", "jsonpath={..image}")).toBe("registry.example.test/shop/worker:2.0.1");
  await expect(page.getByRole("tabpanel", { name: "Manifest" })).toContainText(/All \d+ fields match Git\./);
  await page.getByRole("tab", { name: "Events" }).click();
  await expect(page.getByRole("tabpanel", { name: "Events" })).toContainText(new RegExp(`Deployed.*${commit.slice(0, 8)}.*Show drift`));

  options("drift: ignore, force_conflicts: true");
  const ignoring = await clone.push("Ignore drift");
  await shown.expect("Synced", ignoring);
  await expect(shown.pill).toContainText("not compared");
  await direct("set", "image", "deployment/worker", "app=registry.example.test/by-hand:3");
  await expect(page.locator("main")).toContainText("by-hand:3");
  await shown.expect("Synced", ignoring);
  await expect(shown.pill).toContainText("not compared");
  await expect(shown.card.locator("[data-drift]")).toHaveCount(0);

  options("drift: hide");
  const broken = await clone.push("Break the options");
  await expect
    .poll(() => logLines(sandbox, "kas-1").filter(({ commit_id: id }) => id === broken))
    .toContainEqual(
      expect.objectContaining({ msg: "agent configuration is broken", reason: expect.stringContaining("manifest_projects.0.drift") }),
    );
  await clone.remove(".gitlab/agents/demo/binnacle.yaml");
  expect(await outcomeOf(await clone.push("Correct drift again"))).toMatchObject({ state: "synced" });
});

test("nothing is pruned when all manifests are gone, the branch is deleted or the repository is empty", async ({ page }) => {
  const shown = new SyncPage(page);
  await shown.open(sandbox, NAMESPACE);
  const before = await identities();
  const whole = await clone.head();

  await clone.remove(folder);
  const emptied = await clone.push("Move the manifests away");
  expect(await outcomeOf(emptied)).toMatchObject({ applied: 0, pruned: 0 });
  expect(warningsOf(emptied)).toContainEqual(
    expect.objectContaining({ msg: "nothing is pruned", reason: expect.stringMatching(/^all \d+ objects of the inventory/) }),
  );
  expect(await identities()).toBe(before);
  await shown.expect("Synced", emptied);
  await expect(shown.pill).toContainText("prune held");
  await expect(shown.card).toContainText(/all \d+ objects of the inventory/);

  await clone.deleteBranch();
  // The poller that both wait for.
  await expect.poll(() => logLines(sandbox, "kas-1").some(({ reason }) => reason === "the repository has no commit")).toBe(true);
  await expect(shown.pill).toContainText("branch is gone", { timeout: LATE_MS });
  await expect(shown.card).toContainText("Nothing is pruned: what was applied stays.");
  expect(await identities()).toBe(before);

  // With the agent's configuration, of which the last one stays.
  await clone.remove(".");
  expect(await outcomeOf(await clone.push("Remove everything"))).toMatchObject({ applied: 0, pruned: 0 });
  expect(await identities()).toBe(before);

  await clone.restore(whole);
  expect(await outcomeOf(await clone.push("Bring everything back"))).toMatchObject({ state: "synced", pruned: 0, failed: 0 });
  expect(await identities()).toBe(before);
});
