// needs: control-plane
// long: waits for the control plane to give a node up, two minutes
import type { Browser, Locator, Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { pick } from "../support/endpoints.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { haltProcesses } from "../support/process-control.ts";
import type { Sandbox } from "../support/sandbox.ts";

const NODE = "bench-1";
const ENVIRONMENT = "preview";
const OTHER = "staging";
/** The node controller waits for a heartbeat this long, twice on a busy machine; then pages have to hear of it. */
const LOST_MS = 180_000;
/** An index reads its environments one after the other. */
const LATE_MS = 60_000;
const EVICTED_AT = "2026-01-01T00:00:00Z";
const LOW = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 20Mi.";

/** Maintainers may read nodes beside what the role `edit` allows; developers may not. */
const NODE_READER = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: lost-node-reader }
rules: [{ apiGroups: [""], resources: [nodes], verbs: [get, list, watch] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: lost-node-reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lost-node-reader }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: "gitlab:project_role:1:maintainer" }]
`;
/** On the node, in two environments. */
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: node-checkout }
spec:
  replicas: 2
  selector: { matchLabels: { app: node-checkout } }
  template:
    metadata: { labels: { app: node-checkout } }
    spec:
      nodeSelector: { kubernetes.io/hostname: ${NODE} }
      containers: [{ name: app, image: "registry.example/shop/checkout:1.4.2" }]
`;
const EVICTED = `apiVersion: v1
kind: Pod
metadata: { name: evicted, labels: { bench.kas/fault: creating } }
spec: { nodeName: ${NODE}, containers: [{ name: app, image: "registry.example/shop/batch:1" }] }
`;
/** It tolerates whatever the node is tainted with, so that a pod of it is placed there, and never starts. */
const DAEMON_SET = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: node-log }
spec:
  selector: { matchLabels: { app: node-log } }
  template:
    metadata: { labels: { app: node-log } }
    spec:
      nodeSelector: { kubernetes.io/hostname: ${NODE} }
      tolerations: [{ operator: Exists }]
      containers: [{ name: app, image: "registry.example/ops/log:2" }]
`;

test("S2, B5: a lost node is one issue with the number of its pods, whose name leads to its page, also for who may not read nodes", async ({
  browser,
  startSandbox,
}) => {
  test.setTimeout(LOST_MS + 240_000);
  const sandbox = await startSandbox([]);
  const cluster = new LostNode(sandbox);
  await cluster.prepare();
  const wake = haltProcesses(sandbox.endpoints.pids.cluster["kwok"] ?? 0);
  try {
    await cluster.lost();
    await readerOfNodes(browser, cluster);
    await readerOfPods(browser, cluster);
  } finally {
    wake();
  }
});

/** A real control plane of which one node stops reporting. */
class LostNode {
  readonly sandbox: Sandbox;
  readonly #namespace: string;
  readonly #other: string;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    const namespaceOf = (environment: string): string => pick(sandbox.endpoints.environments, ({ name }) => name === environment).namespace;
    [this.#namespace, this.#other] = [namespaceOf(ENVIRONMENT), namespaceOf(OTHER)];
  }

  /** Workloads that run on the node, and a pod that was evicted from it long before. */
  async prepare(): Promise<void> {
    await this.#kubectl(["apply", "-f", "-"], NODE_READER);
    for (const namespace of [this.#namespace, this.#other]) {
      await this.#kubectl(["apply", "-n", namespace, "-f", "-"], DEPLOYMENT);
      await this.#kubectl(["rollout", "status", "deployment/node-checkout", "-n", namespace, "--timeout=60s"]);
    }
    await this.#kubectl(["apply", "-n", this.#namespace, "-f", "-"], EVICTED);
    const end = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message: LOW, lastTransitionTime: EVICTED_AT };
    const status = { phase: "Failed", reason: "Evicted", message: LOW, conditions: [end] };
    await this.#kubectl([
      "patch",
      "pod",
      "evicted",
      "-n",
      this.#namespace,
      "--subresource=status",
      "--type=merge",
      "-p",
      JSON.stringify({ status }),
    ]);
  }

  /** Waits until the node controller has marked the pods, then has a pod placed on the node that never starts. */
  async lost(): Promise<void> {
    await this.#kubectl(["wait", "node", NODE, "--for=condition=Ready=Unknown", `--timeout=${LOST_MS / 1_000}s`]);
    await expect.poll(async () => (await this.podsByNamespace()).get(this.#namespace)?.lost, { timeout: 60_000 }).toBe(2);
    await this.#kubectl(["apply", "-n", this.#namespace, "-f", "-"], DAEMON_SET);
    await expect.poll(async () => (await this.podsByNamespace()).get(this.#namespace)?.pods, { timeout: 60_000 }).toBe(3);
  }

  /** Pods on the node that have not ended, and how many of them the node controller has marked, by namespace of an environment. */
  async podsByNamespace(): Promise<ReadonlyMap<string, { readonly pods: number; readonly lost: number }>> {
    const ready = '{range .status.conditions[?(@.type=="Ready")]}{.status}{.reason}{end}';
    const line = `{.metadata.namespace} {.spec.nodeName} {.status.phase} ${ready}{"\\n"}`;
    const output = await this.#kubectl(["get", "pods", "-A", "-o", `jsonpath={range .items[*]}${line}{end}`]);
    const here = output.split("\n").map((each) => each.split(" "));
    const on = here.filter(([, node, phase]) => node === NODE && phase !== "Failed" && phase !== "Succeeded");
    const own = new Set(this.sandbox.endpoints.environments.map(({ namespace }) => namespace));
    const counts = [...Map.groupBy(on, ([namespace = ""]) => namespace)].map(
      ([namespace, pods]) => [namespace, { pods: pods.length, lost: pods.filter((pod) => pod[3] === "False").length }] as const,
    );
    return new Map(counts.filter(([namespace, { lost }]) => own.has(namespace) && lost > 0));
  }

  /** Of the node, as "key:effect". */
  async taints(): Promise<readonly string[]> {
    const lines = '{range .spec.taints[*]}{.key}:{.effect}{"\\n"}{end}';
    return (await this.#kubectl(["get", "node", NODE, "-o", `jsonpath=${lines}`])).trim().split("\n");
  }

  #kubectl(args: readonly string[], input?: string): Promise<string> {
    return kubectl(this.sandbox.endpoints.kubeconfigs.cluster, args, input);
  }
}

function summaryUrl(sandbox: Sandbox): string {
  return graphUrl(sandbox, ENVIRONMENT).replace("view=graph", "view=summary");
}

async function personAt(browser: Browser, sandbox: Sandbox, who: { readonly username: string; readonly url: string }): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page, sandbox, who);
  return page;
}

/** The page of the node, beside whatever is shown. */
function nodePage(page: Page): Locator {
  return page.getByRole("complementary", { name: `Node ${NODE}` });
}

/** From the issue of all environments to the page of the node, on to a pod on it, and back by the pod's own link. */
async function readerOfNodes(browser: Browser, cluster: LostNode): Promise<void> {
  const { sandbox } = cluster;
  const { url } = pick(sandbox.endpoints.environments, ({ name }) => name === ENVIRONMENT);
  const page = await personAt(browser, sandbox, { username: "maintainer", url: `${url.slice(0, url.lastIndexOf("/"))}?view=issues` });
  const heading = page.getByRole("heading", { name: new RegExp(`^Node ${NODE} is not ready: `) });
  await expect(heading).toHaveText(/: (?:at least )?\d+ pods in \d+ environments$/, { timeout: LATE_MS });
  const line = page.locator("[data-issue]").filter({ has: heading });
  const isCounted = async (): Promise<boolean> => {
    const [names, title] = [await line.getByRole("link").allInnerTexts(), await heading.innerText()];
    const places = sandbox.endpoints.environments.filter(({ name }) => names.includes(name));
    const counts = await cluster.podsByNamespace();
    const pods = places.reduce((sum, { namespace }) => sum + (counts.get(namespace)?.pods ?? 0), 0);
    return new RegExp(`: (?:at least )?${pods} pods in ${places.length} environments$`).test(title) && names.includes(ENVIRONMENT);
  };
  await expect.poll(isCounted, { message: "as many as kubectl finds in its environments", timeout: LATE_MS }).toBe(true);
  await expect(heading, "B5: what was evicted before is another issue").toHaveCount(1);
  await expect(page.getByText(/was evicted from node/).first()).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  await heading.getByRole("link", { name: NODE, exact: true }).click();
  const node = nodePage(page);
  await expect(node.getByRole("region", { name: "State of the node" })).toContainText(
    /Not ready ?since .*Kubelet stopped posting node status/,
  );
  await expect(node.getByRole("row", { name: /Ready/ }), "conditions with since").toContainText(/Unknown ?NodeStatusUnknown, .*\d\d:\d\d/);
  // When all nodes are lost the node controller may leave out the taint that evicts.
  await expect(async () => {
    const text = await node.innerText();
    const taints = await cluster.taints();
    expect(taints).toContain("node.kubernetes.io/unreachable:NoSchedule");
    expect(taints.filter((each) => !text.includes(each))).toEqual([]);
  }, "the taints that kubectl shows").toPass({ timeout: LATE_MS });
  await expect(node.getByRole("heading", { name: "Allocatable of capacity" })).toBeVisible();
  await expect(node.getByRole("tab"), "a kubelet creates its Node: there is no manifest").toHaveText(["Overview", "YAML", "Events"]);
  const here = node.locator("[data-section=node-pods]");
  await expect(here.getByRole("link", { name: /^node-checkout-/ })).toHaveCount(2);
  await expect(here.getByRole("link", { name: /^node-log-/ })).toHaveCount(1);
  await expect(here.getByRole("link", { name: "evicted" }), "it has ended").toHaveCount(0);
  const others = node.locator("[data-section=node-environments]");
  await expect(others.getByRole("listitem").filter({ hasText: OTHER })).toContainText(/\d+ pods?.*as of/);
  expect(await axeViolations(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath("node-1440.png") });

  const log = here.getByRole("link", { name: /^node-log-/ });
  await log.click();
  const pod = page.getByRole("complementary", { name: /^Pod node-log-/ });
  await expect(pod.getByRole("region", { name: "Health" })).toContainText(`Node ${NODE} is not ready`);
  await expect(pod, "a pod that never starts").not.toContainText(/is starting|Next step: Wait/);
  await pod.locator("[data-section=facts]").getByRole("link", { name: NODE }).click();
  await expect(node).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(node.getByRole("region", { name: "State of the node" })).toBeVisible();
  await page.screenshot({ path: test.info().outputPath("node-390.png") });
  expect(await axeViolations(page)).toEqual([]);
  await page.context().close();
}

/** From the summary to the page of a node that may not be read: it says what the pods say, and which rule is missing. */
async function readerOfPods(browser: Browser, { sandbox }: LostNode): Promise<void> {
  const page = await personAt(browser, sandbox, { username: "developer", url: summaryUrl(sandbox) });
  const why = page.getByRole("region", { name: "Why" });
  const issue = why.locator("[data-why]").filter({ has: page.getByRole("heading", { name: new RegExp(`^Node ${NODE} is not ready: `) }) });
  await expect(issue.getByRole("heading")).toHaveText(`Node ${NODE} is not ready: 3 pods`, { timeout: LATE_MS });
  await expect(issue).toContainText("the conditions of the node need the right to list and watch nodes");
  await expect(issue.locator("details li").filter({ hasText: "node-log" }), "the DaemonSet has the same cause").toHaveCount(1);
  await expect(why).toContainText(/evicted from node bench-1/);
  await expect(why).not.toContainText(/is starting|Next step: Wait/);
  expect(await axeViolations(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath("summary-1440.png") });

  await issue.getByRole("heading").getByRole("link", { name: NODE, exact: true }).click();
  const state = nodePage(page).getByRole("region", { name: "State of the node" });
  await expect(state).toContainText(/3 pods of this environment are on it\. 2 of them show that the node is not ready, since .*\d\d:\d\d/);
  await expect(state).toContainText("Missing rule: get, list, watch on nodes in the cluster.");
  await expect(state.getByRole("button", { name: "Copy request" })).toBeVisible();
  await expect(nodePage(page)).not.toContainText("Kubelet stopped posting node status");
  expect(await axeViolations(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath("forbidden-1440.png") });
  await page.context().close();
}
