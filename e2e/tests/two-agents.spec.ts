// needs: control-plane
import type { Browser, Locator, Page } from "@playwright/test";

import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, OWN_ENVIRONMENTS, test } from "../support/fixtures.ts";
import { kubectl, runKubectl } from "../support/kubectl.ts";
import { ManifestClone } from "../support/manifest-clone.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { syncEnded } from "../support/sync-ended.ts";

/** Of group/app, on agent `platform` of group/deploy. */
const SHOP = "shop";
/** Of group/app, on that project's own agent `demo`. */
const PRODUCTION = "production";
/** An object that agent `demo` deploys, and its inventory. */
const OWNED = { name: "web-settings", inventory: "inventory-1-1", inventoryId: "1-1" };

/** A page looks each second; an agent on a busy machine takes an unknown time. */
const LATE_MS = 40_000;

let sandbox: Sandbox;
let clone: ManifestClone;
let folder: string;

test.beforeAll(async ({ mutableSandbox }) => {
  sandbox = mutableSandbox;
  const { repository, directory } = pick(sandbox.endpoints.manifestProjects, ({ environment }) => environment === SHOP);
  clone = await ManifestClone.of(repository);
  folder = directory;
});

test.afterAll(async () => {
  clone?.dispose();
  await direct("-n", PRODUCTION, "delete", "--ignore-not-found", "rolebinding/platform-claims");
});

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, args);
const tokenOf = (username: string) => pick(sandbox.endpoints.users, (user) => user.username === username).personalAccessToken;

/** The summary of an environment as a user sees it. */
class Summary {
  readonly page: Page;
  readonly pill: Locator;
  readonly cards: Locator;

  private constructor(page: Page) {
    this.page = page;
    this.pill = page.locator("[data-sync]");
    this.cards = page.locator("[data-sync-of]");
  }

  /** @param visitor a browser, for a person of its own, or the page of one who is signed in */
  static async open(visitor: Browser | Page, who: { readonly username: string; readonly environment: string }): Promise<Summary> {
    const url = graphUrl(sandbox, who.environment).replace("view=graph", "view=summary");
    const isPerson = "newContext" in visitor;
    const page = isPerson ? await (await visitor.newContext({ viewport: { width: 1440, height: 2600 } })).newPage() : visitor;
    if (isPerson) await signIn(page, sandbox, { username: who.username, url });
    else await page.goto(url);
    return new Summary(page);
  }

  /** Its only card is of this project, and so is the pill. */
  async isOf(project: string, state: string): Promise<void> {
    await expect(this.pill).toHaveAttribute("data-sync", state, { timeout: LATE_MS });
    await expect(this.cards).toHaveCount(1);
    await expect(this.cards).toHaveAttribute("data-sync-of", project);
  }
}

const outcomeOf = (commit: string) => syncEnded(sandbox, commit, { program: "agentk-platform" });

/** What GraphQL says of the agent of shop. */
async function agentFor(username: string): Promise<unknown> {
  const query = `{ project(fullPath: "group/app") { environment(name: "${SHOP}") { clusterAgent { name project { fullPath } } } } }`;
  const answer = await fetch(sandbox.endpoints.mainApplication.graphql, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf(username)}` },
    body: JSON.stringify({ query }),
  });
  return answer.json();
}

const answerWith = (clusterAgent: unknown) => ({ data: { project: { environment: { clusterAgent } } } });

test("two agents in one cluster: each with its own Lease and inventory, their environments live side by side", async ({ browser }) => {
  const shop = await Summary.open(browser, { username: "maintainer", environment: SHOP });
  await shop.isOf("group/deploy", "Synced");
  const production = await Summary.open(await shop.page.context().newPage(), { username: "maintainer", environment: PRODUCTION });
  await production.isOf("group/app", "Synced");
  // An environment of another application project on the same agent.
  await production.page.goto(graphUrl(sandbox, "site"));
  const graph = new EnvironmentPage(production.page);
  await expect(graph.node("Deployment", "pages")).toHaveAccessibleName(/Healthy/);
  await expect(graph.node("Deployment", "storefront")).toHaveCount(0);
  await production.page.goto(graphUrl(sandbox, SHOP).replace(/\/shop\?.*$/, ""));
  for (const name of [PRODUCTION, SHOP])
    await expect(production.page.getByRole("row", { name: new RegExp(`\\b${name}\\b`) })).toContainText("Healthy");

  const path = "jsonpath={range .items[*]}{.metadata.name}={.spec.holderIdentity}{'\\n'}{end}";
  const leases = (await direct("-n", "gitlab-agent", "get", "leases", "-o", path))
    .trim()
    .split("\n")
    .map((line) => line.split("="));
  const held = new Map(leases.map(([name, holder]) => [name, holder]));
  expect([...held.keys()].filter((name) => name?.startsWith("agentk-gitops-"))).toEqual(["agentk-gitops-1", "agentk-gitops-2"]);
  expect(held.get("agentk-gitops-1")).not.toBe(held.get("agentk-gitops-2"));
  const inventories = "jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name}{'\\n'}{end}";
  const found = await direct("get", "configmaps", "-A", "-l", "cli-utils.sigs.k8s.io/inventory-id", "-o", inventories);
  const ofDemo = found
    .trim()
    .split("\n")
    .filter((line) => !OWN_ENVIRONMENTS.some((environment) => line.startsWith(`${environment}/`)));
  expect(ofDemo.sort()).toEqual([`${PRODUCTION}/${OWNED.inventory}`, `${SHOP}/inventory-2-3`]);
  await shop.page.context().close();
});

test("the outsider sees no agent of a project that is not readable, and kas gives access to neither", async ({ browser }) => {
  expect(await agentFor("maintainer")).toEqual(answerWith({ name: "platform", project: { fullPath: "group/deploy" } }));
  expect(await agentFor("developer")).toEqual(answerWith({ name: "platform", project: null }));
  expect(await agentFor("outsider")).toEqual(answerWith(null));
  const { page } = await Summary.open(browser, { username: "outsider", environment: SHOP });
  await expect(page.getByText("The agent of this environment was deleted, or is not shared with you.")).toBeVisible();
  await expect(page.getByText("storefront")).toHaveCount(0);
  await expect(page.getByText("platform")).toHaveCount(0);
  await page.context().close();

  const { viaKas, ciJob } = sandbox.endpoints.kubeconfigs;
  const { id } = pick(sandbox.endpoints.agents, ({ name }) => name === "platform");
  const as = (username: string) =>
    runKubectl(viaKas, ["--token", `pat:${id}:${tokenOf(username)}`, "-n", SHOP, "get", "deployments", "-o", "name"]);
  expect(await as("developer")).toMatchObject({ code: 0, stdout: "deployment.apps/storefront\n" });
  expect(await as("outsider")).toMatchObject({ code: 1, stdout: "" });
  // A job of an application project deploys with either agent.
  expect(await kubectl(ciJob, ["--context", "group/deploy:platform", "get", "deployments", "-o", "name"])).toBe(
    "deployment.apps/storefront\n",
  );
});

test("T34: two agents claim one object: the second says whose it is, to each as he may read it, and the first keeps it", async ({
  browser,
}) => {
  const live = () => direct("-n", PRODUCTION, "get", "configmap", OWNED.name, "-o", "jsonpath={.metadata.resourceVersion} {.data}");
  const before = await live();
  // Else it would be reported that the agent may not read.
  const may = ["--clusterrole", "agentk-gitops", "--serviceaccount", "gitlab-agent:agentk-platform"];
  await direct("-n", PRODUCTION, "create", "rolebinding", "platform-claims", ...may);
  const file = `${folder}/20-claim.yaml`;
  clone.write(
    file,
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${OWNED.name}, namespace: ${PRODUCTION} }\ndata: { THEME: stolen }\n`,
  );
  const [maintainer, developer] = await Promise.all(
    ["maintainer", "developer"].map((username) => Summary.open(browser, { username, environment: SHOP })),
  );
  if (!maintainer || !developer) throw new Error("two people look");
  const commit = await clone.push("Claim what is another's");
  expect(await outcomeOf(commit)).toMatchObject({ state: "failed", failed: 1, pruned: 0 });

  for (const { pill, cards } of [maintainer, developer]) {
    await expect(cards).toContainText(commit.slice(0, 8), { timeout: LATE_MS });
    await expect(pill).toHaveAttribute("data-sync", "Failed", { timeout: LATE_MS });
    await expect(cards.getByRole("listitem")).toHaveCount(1);
    await expect(cards.getByRole("listitem")).toContainText(`ConfigMap ${PRODUCTION}/${OWNED.name}`);
    await expect(cards.getByRole("listitem")).toContainText(`the object belongs to inventory ${OWNED.inventoryId}`);
  }
  await expect(maintainer.cards).toContainText("Claim what is another's by Owner");
  await expect(maintainer.cards).toContainText(`${file}:1`);
  await expect(maintainer.cards).toContainText(/group\/deploy at main.*\/manifests\/shop\/\*\*\/\*\.yaml.*at once after a push/);
  for (const hidden of ["Claim what", "Owner", "20-claim", "manifests/", commit, "Describe the environments"])
    await expect(developer.page.locator("body")).not.toContainText(hidden);
  await expect(developer.cards.getByRole("link")).toHaveCount(0);

  expect(await live()).toBe(before);
  const production = await Summary.open(maintainer.page, { username: "maintainer", environment: PRODUCTION });
  await production.isOf("group/app", "Synced");
  await clone.remove(file);
  expect(await outcomeOf(await clone.push("Claim it no more"))).toMatchObject({ state: "synced", failed: 0, pruned: 0 });
  expect(await live()).toBe(before);
});
