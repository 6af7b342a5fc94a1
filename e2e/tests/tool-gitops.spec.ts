// needs: control-plane
import type { Browser, Locator, Page } from "@playwright/test";

import { defineKinds, type CustomKind } from "../support/custom-kind.ts";
import { pick } from "../support/endpoints.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import type { Sandbox } from "../support/sandbox.ts";

const KUSTOMIZATIONS: CustomKind = { group: "kustomize.toolkit.fluxcd.io", kind: "Kustomization", plural: "kustomizations" };
const REPOSITORIES: CustomKind = { group: "source.toolkit.fluxcd.io", kind: "GitRepository", plural: "gitrepositories" };
const APPLICATIONS: CustomKind = { group: "argoproj.io", kind: "Application", plural: "applications" };
const [FIRST, SECOND] = ["4f2c91e08a7b6c5d4e3f2a1b0c9d8e7f60514233", "b0c9d8e7f605142334f2c91e08a7b6c5d4e3f2a1"];
/** Nothing but what these tools mark is in it, and no job deploys to it. */
const ENVIRONMENT = "preview";

/** Objects of other namespaces are looked at four times a minute. */
const LATE_MS = 75_000;

/** The pill, the card and the commit of an environment. */
class ToolPage {
  readonly pill: Locator;
  readonly deployed: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.pill = page.locator("[data-sync]");
    this.deployed = page.locator("[data-deployed]");
  }

  async open(sandbox: Sandbox): Promise<void> {
    await signIn(this.#page, sandbox, { username: "developer", url: graphUrl(sandbox, ENVIRONMENT).replace("view=graph", "view=summary") });
    await this.#page.evaluate(() => document.documentElement.setAttribute("data-e2e-mark", "1"));
  }

  /** The row of a tool's object, `namespace/name`. */
  row(place: string): Locator {
    return this.#page.locator(`[data-tool-sync="${place}"]`);
  }

  async expectNoReload(): Promise<void> {
    await expect(this.#page.locator("html")).toHaveAttribute("data-e2e-mark", "1");
  }
}

/** The index names the tool of an environment that was not opened yet, and does not claim that nothing was deployed. */
async function expectNamedInIndex(browser: Browser, sandbox: Sandbox): Promise<void> {
  const index = await browser.newPage();
  await signIn(index, sandbox, { username: "developer", url: new URL("../environments", graphUrl(sandbox, ENVIRONMENT)).href });
  const row = index.locator(`tr[data-environment="${ENVIRONMENT}"]`);
  await expect(row).toContainText("Flux Kustomization", { timeout: LATE_MS });
  await expect(row.locator("[data-sync]")).toHaveAttribute("title", /^flux-system\/web/);
  await expect(row).not.toContainText("No deployment yet");
  await index.close();
}

interface Cluster {
  apply(manifest: string): Promise<void>;
  /** Writes the status as the tool's controller does. */
  status(kind: CustomKind, place: string, status: object): Promise<void>;
  forbid(kind: CustomKind): Promise<void>;
}

function clusterOf(kubeconfig: string): Cluster {
  return {
    apply: async (manifest) => void (await kubectl(kubeconfig, ["apply", "-f", "-"], manifest)),
    status: async ({ group, plural }, place, status) => {
      const [namespace = "", name = ""] = place.split("/");
      const patch = ["--subresource=status", "--type=merge", "-p", JSON.stringify({ status })];
      await kubectl(kubeconfig, ["patch", `${plural}.${group}`, name, "-n", namespace, ...patch]);
    },
    forbid: async ({ group, plural }) => {
      const rules = JSON.stringify({ rules: [] });
      await kubectl(kubeconfig, ["patch", "clusterrole", `${plural}.${group}-viewer`, "--type=merge", "-p", rules]);
    },
  };
}

function fluxStatus(ready: "True" | "False", { applied, attempted = applied }: { readonly applied: string; readonly attempted?: string }) {
  const message =
    ready === "True" ? `Applied revision: main@sha1:${applied}` : "Deployment/preview/web dry-run failed: spec.replicas: Invalid value";
  const reason = ready === "True" ? "ReconciliationSucceeded" : "ReconciliationFailed";
  const condition = { type: "Ready", status: ready, reason, message, observedGeneration: 1, lastTransitionTime: new Date().toISOString() };
  return {
    observedGeneration: 1,
    lastAppliedRevision: `main@sha1:${applied}`,
    lastAttemptedRevision: `main@sha1:${attempted}`,
    conditions: [condition],
  };
}

test("Flux's Kustomization has the pill, the card and the commit, follows its status, and is hidden from who may not read it", async ({
  browser,
  page,
  sandbox,
}) => {
  const kubeconfig = sandbox.endpoints.kubeconfigs.cluster;
  const cluster = clusterOf(kubeconfig);
  const { namespace } = pick(sandbox.endpoints.environments, ({ name }) => name === ENVIRONMENT);
  const undefine = await defineKinds(kubeconfig, [KUSTOMIZATIONS, REPOSITORIES]);
  try {
    await cluster.apply(`apiVersion: v1
kind: Namespace
metadata: { name: flux-system }
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: shop, namespace: flux-system }
spec: { url: "https://bot:s3cr3t-of-flux@git.example.test/shop/deploy" }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: web, namespace: flux-system }
spec: { path: ./preview, sourceRef: { kind: GitRepository, name: shop } }
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: applied-by-flux
  namespace: ${namespace}
  labels: { kustomize.toolkit.fluxcd.io/name: web, kustomize.toolkit.fluxcd.io/namespace: flux-system }
`);
    await cluster.status(KUSTOMIZATIONS, "flux-system/web", fluxStatus("True", { applied: FIRST }));

    await expectNamedInIndex(browser, sandbox);
    const shown = new ToolPage(page);
    await shown.open(sandbox);
    const row = shown.row("flux-system/web");
    await expect(row).toContainText("Flux Kustomization flux-system/web", { timeout: LATE_MS });
    await expect(row).toContainText(`main@sha1:${FIRST.slice(0, 8)}`, { timeout: LATE_MS });
    await expect(row).toContainText("https://git.example.test/shop/deploy");
    await expect(row).toContainText("./preview");
    await expect(shown.pill).toHaveAttribute("data-sync", "Synced");
    await expect(shown.deployed).toHaveAttribute("data-deployed", FIRST);
    await expect(shown.deployed).toContainText("applied by Flux Kustomization flux-system/web");
    await row.locator("summary").click();
    await expect(row).toContainText("flux reconcile kustomization web --namespace flux-system");
    await expect(row.getByRole("button")).toHaveCount(0);

    await cluster.status(KUSTOMIZATIONS, "flux-system/web", fluxStatus("False", { applied: FIRST, attempted: SECOND }));
    await expect(shown.pill).toHaveAttribute("data-sync", "Failed", { timeout: LATE_MS });
    await expect(row).toContainText("ReconciliationFailed");
    await expect(row).toContainText("spec.replicas: Invalid value");
    await expect(row).toContainText(`Tried last: main@sha1:${SECOND.slice(0, 8)}`);
    // What was only tried is not deployed.
    await expect(shown.deployed).toHaveAttribute("data-deployed", FIRST);

    await cluster.forbid(KUSTOMIZATIONS);
    await expect(row).toContainText("You may not read Kustomization flux-system/web", { timeout: LATE_MS });
    await expect(shown.pill).toHaveAttribute("data-sync", "Not known");
    await expect(row).not.toContainText("git.example.test");
    await expect(shown.deployed).toHaveCount(0);
    await expect(page.locator("body")).not.toContainText("s3cr3t-of-flux");
    await shown.expectNoReload();
  } finally {
    await undefine();
    await kubectl(kubeconfig, ["delete", "configmap", "applied-by-flux", "-n", namespace]);
    await kubectl(kubeconfig, ["delete", "namespace", "flux-system", "--timeout=90s"]);
  }
});

test("Argo CD's Application has them too: what it compares with is not what it has deployed", async ({ page, sandbox }) => {
  const kubeconfig = sandbox.endpoints.kubeconfigs.cluster;
  const cluster = clusterOf(kubeconfig);
  const { namespace } = pick(sandbox.endpoints.environments, ({ name }) => name === ENVIRONMENT);
  const undefine = await defineKinds(kubeconfig, [APPLICATIONS]);
  const source = { repoURL: "https://git.example.test/shop/deploy", path: "preview", targetRevision: "main" };
  const compared = (status: string, revision: string) => ({ status, revision, comparedTo: { source } });
  const history = [{ id: 1, revision: FIRST, deployedAt: new Date().toISOString() }];
  try {
    await cluster.apply(`apiVersion: v1
kind: Namespace
metadata: { name: argocd }
---
apiVersion: argoproj.io/v1
kind: Application
metadata: { name: shop, namespace: argocd }
spec: { project: default, source: ${JSON.stringify(source)} }
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: applied-by-argo
  namespace: ${namespace}
  annotations: { argocd.argoproj.io/tracking-id: "shop:/ConfigMap:${namespace}/applied-by-argo" }
`);
    await cluster.status(APPLICATIONS, "argocd/shop", { sync: compared("Synced", FIRST), history });
    const shown = new ToolPage(page);
    await shown.open(sandbox);
    const row = shown.row("argocd/shop");
    await expect(row).toContainText("Argo CD Application argocd/shop", { timeout: LATE_MS });
    await expect(shown.pill).toHaveAttribute("data-sync", "Synced", { timeout: LATE_MS });
    await expect(shown.deployed).toHaveAttribute("data-deployed", FIRST);

    await cluster.status(APPLICATIONS, "argocd/shop", { sync: compared("OutOfSync", SECOND), history });
    await expect(shown.pill).toHaveAttribute("data-sync", "Out of sync", { timeout: LATE_MS });
    await expect(row).toContainText(`Compared with ${SECOND.slice(0, 8)}`);
    await expect(shown.deployed).toHaveAttribute("data-deployed", FIRST);
    await expect(shown.deployed).toContainText("applied by Argo CD Application argocd/shop");

    await cluster.status(APPLICATIONS, "argocd/shop", {
      operationState: { phase: "Failed", message: "one or more objects failed to apply", syncResult: { revision: SECOND } },
    });
    await expect(shown.pill).toHaveAttribute("data-sync", "Failed", { timeout: LATE_MS });
    await expect(row).toContainText("one or more objects failed to apply");
    await shown.expectNoReload();
  } finally {
    await undefine();
    await kubectl(kubeconfig, ["delete", "configmap", "applied-by-argo", "-n", namespace]);
    await kubectl(kubeconfig, ["delete", "namespace", "argocd", "--timeout=90s"]);
  }
});
