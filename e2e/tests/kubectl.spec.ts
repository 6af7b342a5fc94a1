// needs: control-plane
import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl, runKubectl, spawnKubectl } from "../support/kubectl.ts";

const MANIFEST = `apiVersion: v1
kind: ConfigMap
metadata: { name: from-kubectl, labels: { made-by: kubectl } }
data: { colour: blue }
`;

test("a maintainer applies, reads, watches and deletes with ordinary kubectl through kas", async ({ sandbox }) => {
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  expect(await kubectl(viaKas, ["apply", "-f", "-"], MANIFEST)).toContain("configmap/from-kubectl created");
  expect(await kubectl(viaKas, ["apply", "--server-side", "-f", "-"], MANIFEST.replace("blue", "green"))).toContain("serverside-applied");
  expect(await kubectl(viaKas, ["get", "configmap", "from-kubectl", "-o", "jsonpath={.data.colour}"])).toBe("green");

  const watch = spawnKubectl(viaKas, ["get", "configmaps", "-l", "made-by=kubectl", "--watch", "--output-watch-events"]);
  let seen = "";
  watch.stdout.on("data", (chunk: Buffer) => void (seen += chunk.toString()));
  await expect.poll(() => seen).toContain("ADDED");
  await kubectl(viaKas, ["patch", "configmap", "from-kubectl", "-p", '{"data":{"colour":"red"}}']);
  await expect.poll(() => seen).toContain("MODIFIED");
  await kubectl(viaKas, ["delete", "configmap", "from-kubectl"]);
  await expect.poll(() => seen).toContain("DELETED");
  watch.kill("SIGTERM");
});

test("a developer may look and may not change: the words are those of the API server", async ({ sandbox }) => {
  const { developer } = sandbox.endpoints.kubeconfigs.viaKasAs;
  expect(await kubectl(developer, ["get", "deployments", "-o", "name"])).toContain("deployment.apps/");
  const refused = await runKubectl(developer, ["delete", "deployments", "--all"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("forbidden");
  expect(refused.stderr).toContain('User "gitlab:user:developer" cannot');
  expect(await kubectl(developer, ["get", "deployments", "-o", "name"])).toContain("deployment.apps/");
});

test("a job's kubeconfig has a context for each agent, with its namespace, in which kubectl acts as the job", async ({ sandbox }) => {
  const { ciJob } = sandbox.endpoints.kubeconfigs;
  expect(await kubectl(ciJob, ["config", "get-contexts", "-o", "name"])).toBe("group/app:demo\n");
  const inContext = ["--context", "group/app:demo"];
  expect(await kubectl(ciJob, ["config", "view", "-o", "jsonpath={.contexts[0].context.namespace}"])).toBe("production");
  expect(await kubectl(ciJob, [...inContext, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"])).toBe("gitlab:ci_job:1");
  expect(await kubectl(ciJob, [...inContext, "get", "deployments", "-o", "name"])).toContain("deployment.apps/");
  const refused = await runKubectl(ciJob, [...inContext, "get", "roles"]);
  expect(refused.stderr).toContain('User "gitlab:ci_job:1" cannot list resource "roles"');
});

test("the outsider is refused by kas before anything reaches the cluster", async ({ sandbox }) => {
  const refused = await runKubectl(sandbox.endpoints.kubeconfigs.viaKasAs.outsider, ["get", "pods"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/unauthorized|logged in/i);
});

test("kubectl finds out who it is in the cluster", async ({ sandbox }) => {
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  const agent = pick(sandbox.endpoints.agents, (entry) => entry.name === "demo");
  const identity = await kubectl(viaKas, ["auth", "whoami", "-o", "json"]);
  // The API server's own type: authentication.k8s.io/v1 SelfSubjectReview.
  const { status } = JSON.parse(identity) as { status: { userInfo: { username: string; groups: string[] } } };
  expect(status.userInfo.username).toBe("gitlab:user:maintainer");
  expect(status.userInfo.groups).toEqual(
    expect.arrayContaining([
      "gitlab:user",
      ...["reporter", "developer", "maintainer"].map((role) => `gitlab:project_role:${agent.projectId}:${role}`),
    ]),
  );
});
