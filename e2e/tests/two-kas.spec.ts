// needs: redis
import { pick } from "../support/endpoints.ts";
import { send, targetOf } from "../support/bearer-request.ts";
import { expect, test } from "../support/fixtures.ts";
import { signalProcess } from "../support/process-control.ts";
import { pushConfiguration } from "../support/push-configuration.ts";

test("a request that enters at the first kas reaches the agent of the second in one hop; with the second dead it says so", async ({
  startSandbox,
}) => {
  const sandbox = await startSandbox(["--kas", "2", "--restart", "never"]);
  const { kubeconfigs, kas, pids, environments } = sandbox.endpoints;
  const namespace = pick(environments, (entry) => entry.name === "production").namespace;
  const target = targetOf(kubeconfigs.viaKas);
  expect(target.server.startsWith(`${kas[0]?.k8sProxy}`.replace(/\/$/, ""))).toBe(true);

  const answer = await send(target, `/api/v1/namespaces/${namespace}/pods?limit=1`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["kas-route"]).toContain("hops=1");
  await answer.body.dump();

  // The second kas reads the agent's configuration; the first one must know of it all the same.
  await pushConfiguration(sandbox, (text) => `${text}\nuser_acess: { typo: true }\n`);
  const errorHeader = async (): Promise<string> => {
    const pods = await send(target, `/api/v1/namespaces/${namespace}/pods?limit=1`);
    await pods.body.dump();
    return String(pods.headers["kas-agent-config-error"] ?? "");
  };
  await expect.poll(errorHeader).toContain("user_acess");

  signalProcess(pids.kas[1], "SIGKILL");
  const broken = await send(target, `/api/v1/namespaces/${namespace}/pods?limit=1`);
  expect([502, 503, 504]).toContain(broken.statusCode);
  // Our own failures are Kubernetes Status objects.
  const status = (await broken.body.json()) as { kind: string; message: string };
  expect(status.kind).toBe("Status");
  // What is wrong, and no address of ours (XM10).
  expect(status.message).toContain("connected to another kas, which cannot be reached");
  expect(status.message).not.toContain(`${kas[1]?.internal}`);
});
