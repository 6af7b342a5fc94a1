// needs: control-plane
import { LogSourceState } from "@binnacle/proto/dashboard-logs";

import { logsOf, openSession } from "../support/dashboard-client.ts";
import { expect, test } from "../support/fixtures.ts";
import { chattyDeployment, LogFollower, Seen } from "../support/followed-logs.ts";
import { kubectl } from "../support/kubectl.ts";
import { signalProcess } from "../support/process-control.ts";
import { restoreAccess } from "../support/own-environment.ts";
import type { Sandbox } from "../support/sandbox.ts";

const NAMESPACE = "logs-api";
const REF = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: NAMESPACE, name: "chatty" };
const NAMES = { projectPath: "group/app", environment: NAMESPACE };

let sandbox: Sandbox;
test.beforeAll(async ({ mutableSandbox }) => {
  test.setTimeout(240_000);
  sandbox = mutableSandbox;
  await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], chattyDeployment(NAMESPACE, { replicas: 3, rate: 100 }));
  await direct("rollout", "status", "deployment/chatty", "--timeout=60s");
});
test.afterAll(() => restoreAccess(sandbox, ["clusterrolebinding/without-logs", "clusterrole/without-logs"]));

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);

test("a maintainer follows a Deployment through a rollout and the SIGKILL of kas: every line once, and no gap", async () => {
  test.setTimeout(180_000);
  const logs = new LogFollower(logsOf(await openSession(sandbox, "maintainer")), { ...NAMES, refs: [REF] });
  await logs.expectReading(3, 50);
  const { seen } = logs;
  const first = new Set(seen.sources.keys());

  await direct("rollout", "restart", "deployment/chatty");
  await direct("rollout", "status", "deployment/chatty", "--timeout=60s");
  const leftBehind = (): number =>
    [...seen.sources].filter(([key, { hasLeft, state }]) => first.has(key) && hasLeft && state === LogSourceState.ENDED).length;
  await expect.poll(leftBehind, { timeout: 60_000 }).toBe(3);
  await logs.expectReading(3, 50);

  const before = seen.reading();
  signalProcess(sandbox.endpoints.pids.kas[0], "SIGKILL");
  await logs.expectReading(3, 500, before);
  await logs.expectWhole(6);
  expect(logs.breaks).toBeGreaterThan(0);
});

test("a developer without pods/log is given the Role, and reads after it was applied", async () => {
  test.setTimeout(120_000);
  const cluster = sandbox.endpoints.kubeconfigs.cluster;
  await kubectl(cluster, ["delete", "clusterrolebinding", "project-1-developer-view"]);
  await kubectl(cluster, ["create", "clusterrole", "without-logs", "--verb=get,list,watch", "--resource=pods,deployments.apps"]);
  await kubectl(cluster, ["create", "clusterrolebinding", "without-logs", "--clusterrole=without-logs", "--user=gitlab:user:developer"]);
  const logs = logsOf(await openSession(sandbox, "developer"));
  const read = async (): Promise<Seen> => {
    const seen = new Seen();
    for await (const message of logs.readLogs({ ...NAMES, refs: [REF], tailLines: 5 })) seen.add(message);
    return seen;
  };
  const refused = await read();
  const states = [...refused.sources.values()].map(({ state }) => state);
  expect(states).toEqual([LogSourceState.REFUSED, LogSourceState.REFUSED, LogSourceState.REFUSED]);
  expect(refused.texts.size).toBe(0);
  const [source] = refused.sources.values();
  expect(source?.words?.id).toBe("logs/refused");

  await kubectl(cluster, ["apply", "-f", "-"], source?.roleYaml);
  await direct("create", "rolebinding", "read-logs", "--role=binnacle-read-logs", "--user=gitlab:user:developer");
  await expect.poll(async () => [...(await read()).texts.values()].map((texts) => texts.length)).toEqual([5, 5, 5]);
});
