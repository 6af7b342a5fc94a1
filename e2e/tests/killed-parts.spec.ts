// needs: control-plane
// long: kills kas, agentk and web in the middle of logs, terminals and actions, three minutes
import { ActionKind, ActionOutcome } from "@binnacle/proto/dashboard";

import { clientOf, logsOf, openSession } from "../support/dashboard-client.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { chattyDeployment, isBreak, LogFollower } from "../support/followed-logs.ts";
import { kubectl } from "../support/kubectl.ts";
import { signalProcess } from "../support/process-control.ts";
import { Sandbox } from "../support/sandbox.ts";

const NAMESPACE = "staging";
const NAMES = { projectPath: "group/app", environment: NAMESPACE };
const PARTS = ["kas", "agentk", "web"] as const;

const refOf = (name: string) => ({ group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: NAMESPACE, name });

// One of its own: its parts are killed.
let sandbox: Sandbox;
test.beforeAll(async ({ cluster }) => {
  test.setTimeout(240_000);
  sandbox = await Sandbox.start({ cluster, flags: ["--restart", "1"] });
});
test.afterAll(() => sandbox?.stop());

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);

function pidOf(part: (typeof PARTS)[number]): number | undefined {
  const { pids } = sandbox.endpoints;
  return part === "web" ? pids.web : pids[part][0];
}

/** Kills a part. @returns once another process of it has started */
async function kill(part: (typeof PARTS)[number]): Promise<void> {
  const pid = pidOf(part);
  signalProcess(pid, "SIGKILL");
  await expect.poll(() => pidOf(part), { timeout: 60_000 }).not.toBe(pid);
}

test("500 log lines a second through the SIGKILL of kas, agentk and web: every line once, and no gap", async () => {
  test.setTimeout(300_000);
  await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], chattyDeployment(NAMESPACE, { replicas: 5, rate: 100 }));
  await direct("rollout", "status", "deployment/chatty", "--timeout=60s");
  const logs = new LogFollower(logsOf(await openSession(sandbox, "maintainer")), { ...NAMES, refs: [refOf("chatty")] });
  await logs.expectReading(5, 100);
  for (const part of PARTS) {
    const before = logs.seen.reading();
    const breaks = logs.breaks;
    await kill(part);
    await expect.poll(() => logs.breaks, { message: part, timeout: 60_000 }).toBeGreaterThan(breaks);
    await logs.expectReading(5, 500, before);
  }
  await logs.expectWhole(5);
  await direct("delete", "deployment", "chatty");
});

for (const part of PARTS) {
  test(`an action during which ${part} is killed is not known, and the same request again does it once`, async () => {
    test.setTimeout(180_000);
    const dashboard = clientOf(await openSession(sandbox, "maintainer"));
    const target = { ...NAMES, ref: refOf("web") };
    const valueOf = (path: string) => direct("get", "deployment", "web", "-o", `jsonpath={${path}}`);
    const generation = Number(await valueOf(".metadata.generation"));
    const replicas = Number(await valueOf(".spec.replicas")) + 1;
    const parameters = { replicas };
    const { uid, field, requestedAt } = await dashboard.previewAction({ target, kind: ActionKind.SCALE, parameters });
    const expected = field?.before ?? "";
    const named = { uid, expected, requestId: `killed-${part}-request`, ...(requestedAt && { requestedAt }) };
    const request = { target, kind: ActionKind.SCALE, parameters, ...named };

    const { cluster } = sandbox.endpoints.pids;
    const apiServer = cluster["kube-apiserver"] ?? cluster["cluster"];
    const sent = AbortSignal.timeout(1_000);
    signalProcess(apiServer, "SIGSTOP");
    try {
      const acting = dashboard.act(request).then(
        ({ outcome }) => outcome,
        (error: unknown) => (isBreak(error) ? ActionOutcome.UNKNOWN : error),
      );
      // The API server answers no request: after a second the request waits there, or at the part that is killed.
      await expect.poll(() => sent.aborted).toBe(true);
      await kill(part);
      signalProcess(apiServer, "SIGCONT");
      expect([ActionOutcome.UNKNOWN, ActionOutcome.DONE]).toContain(await acting);
    } finally {
      signalProcess(apiServer, "SIGCONT");
    }
    await expect
      .poll(async () => dashboard.act(request).then(({ outcome }) => outcome, String), { timeout: 90_000 })
      .toBe(ActionOutcome.DONE);
    expect(Number(await valueOf(".spec.replicas"))).toBe(replicas);
    expect(Number(await valueOf(".metadata.generation")), "changes of its specification").toBe(generation + 1);
  });
}

test("a terminal ends with a notice when agentk or web is killed, and another one can be started", async ({ page }) => {
  test.setTimeout(240_000);
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  const ofPods = ["get", "pods", "-n", "production", "-o", "jsonpath={.items[*].metadata.name}"];
  const names = await kubectl(sandbox.endpoints.kubeconfigs.cluster, [...ofPods, "--field-selector", "status.phase=Running"]);
  const pod = names.split(" ").find((name) => name.startsWith("web-")) ?? "";
  await page.goto(`${graphUrl(sandbox, "production")}&sel=core/pods/production/${pod}&tab=terminal`);
  const drawer = page.locator("[data-drawer]");
  await drawer.getByRole("button", { name: "Start terminal" }).click();
  await expect(drawer.getByText("bash in ")).toBeVisible();
  for (const part of ["agentk", "web"] as const) {
    await kill(part);
    const again = drawer.getByRole("button", { name: "Start again" });
    await expect(again, part).toBeVisible();
    await expect(async () => {
      if (await again.isVisible()) await again.click();
      await expect(drawer.getByText("bash in ")).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 90_000 });
    await page.keyboard.type(`echo hel''lo after ${part}\n`);
    await expect(drawer.locator(".xterm-rows")).toContainText(`hello after ${part}`);
  }
});
