// needs: control-plane
import { randomUUID } from "node:crypto";

import { ActionKind, ActionOutcome, ActionRight, type ActionParameters, type Dashboard } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import type { Client } from "@connectrpc/connect";

import { openDashboard } from "../support/dashboard-client.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { logLines } from "../support/log-lines.ts";
import { applyStaging } from "../support/own-environment.ts";
import type { Sandbox } from "../support/sandbox.ts";

const NAMESPACE = "actions";
const REF = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: NAMESPACE, name: "web" };
const TARGET = { projectPath: "group/app", environment: NAMESPACE, ref: REF };

let sandbox: Sandbox;
test.beforeAll(async ({ mutableSandbox }) => {
  test.setTimeout(240_000);
  sandbox = mutableSandbox;
  await applyStaging(sandbox, NAMESPACE);
});

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);
const imageOf = () => direct("get", "deployment", "web", "-o", "jsonpath={.spec.template.spec.containers[0].image}");

type Parameters = Partial<Omit<ActionParameters, "$typeName">>;

async function perform(dashboard: Client<typeof Dashboard>, kind: ActionKind, parameters: Parameters) {
  const { uid, requestedAt, field } = await dashboard.previewAction({ target: TARGET, kind, parameters });
  const expected = field?.before;
  return dashboard.act({
    target: TARGET,
    kind,
    parameters,
    uid,
    requestId: randomUUID(),
    ...(requestedAt && { requestedAt }),
    ...(expected !== undefined && { expected }),
  });
}

test("a maintainer sets the image of a broken rollout through kas and agentk, as herself, it settles, and a developer reads by whom", async ({
  page,
}) => {
  await signIn(page, sandbox, { username: "developer", url: `${graphUrl(sandbox, NAMESPACE)}&sel=apps/deployments/${NAMESPACE}/web` });
  await page.getByRole("tab", { name: "Events" }).click();
  const events = page.getByRole("tabpanel", { name: "Events" });
  await expect(events, "the journal has begun").toContainText(/changes? .*since/);

  const good = await imageOf();
  await direct("set", "image", "deployment/web", "app=nosuch.invalid/web:2");
  await expect(events).toContainText("→ nosuch.invalid/web:2");
  const maintainer = await openDashboard(sandbox, "maintainer");
  const review = await maintainer.reviewActions({ target: TARGET });
  expect(review.images).toMatchObject([{ container: "app", image: "nosuch.invalid/web:2" }]);
  expect(review.actions.every(({ right }) => right === ActionRight.ALLOWED)).toBe(true);

  const done = await perform(maintainer, ActionKind.SET_IMAGE, { container: "app", image: good });
  expect(done).toMatchObject({
    outcome: ActionOutcome.DONE,
    field: { before: "nosuch.invalid/web:2", after: good },
    undo: ActionKind.SET_IMAGE,
  });
  await direct("rollout", "status", "deployment/web", "--timeout=60s");
  expect(await imageOf()).toBe(good);
  expect(
    await direct("get", "deployment", "web", "-o", "jsonpath={.metadata.managedFields[*].manager}", "--show-managed-fields"),
  ).toContain("binnacle");
  await expect(events.getByRole("listitem").filter({ hasText: `→ ${good}` })).toContainText(/from Binnacle, by .+ \(@maintainer\)/);
  const recorded = () =>
    logLines(sandbox, "web").filter(
      ({ audit, dry_run: dryRun, namespace }) => audit === true && dryRun === false && namespace === NAMESPACE,
    );
  await expect.poll(() => recorded().length).toBe(1);
  expect(recorded()).toMatchObject([
    { user: "maintainer", as: "gitlab:user:maintainer", name: "web", purpose: { action: "set-image" }, outcome: "done" },
  ]);
});

test("T53: a developer without the right sees the missing Role, is refused by the cluster, and may after it was applied", async () => {
  const before = await direct("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}");
  const developer = await openDashboard(sandbox, "developer");
  const { actions } = await developer.reviewActions({ target: TARGET });
  const scale = actions.find(({ kind }) => kind === ActionKind.SCALE);
  expect(scale).toMatchObject({ right: ActionRight.DENIED });

  const shown = await developer.previewAction({ target: TARGET, kind: ActionKind.SCALE, parameters: { replicas: 3 } });
  expect(shown.refused && renderEnglish(fromWordsMessage(shown.refused))).toMatch(/gitlab:user:developer.* cannot patch/);
  const refused = await perform(developer, ActionKind.SCALE, { replicas: 3 });
  expect(refused.outcome).toBe(ActionOutcome.REFUSED);
  expect(await direct("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}")).toBe(before);

  await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], scale?.roleYaml);
  await direct("create", "rolebinding", "scale", "--role=binnacle-patch-deployments-scale", "--user=gitlab:user:developer");
  await expect
    .poll(async () => (await developer.reviewActions({ target: TARGET })).actions.find(({ kind }) => kind === ActionKind.SCALE)?.right)
    .toBe(ActionRight.ALLOWED);
  expect(await perform(developer, ActionKind.SCALE, { replicas: 3 })).toMatchObject({ outcome: ActionOutcome.DONE });
  expect(await direct("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}")).toBe("3");
});
