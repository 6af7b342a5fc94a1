// needs: control-plane
import { targetOf } from "../support/bearer-request.ts";
import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { AgentView } from "../support/agent-view.ts";

test("an environment as agentk keeps it, through kas: what kubectl lists as the same person, at once when it changes, and nothing for who may not", async ({
  sandbox,
}) => {
  const { kubeconfigs, environments } = sandbox.endpoints;
  const { namespace } = pick(environments, (entry) => entry.name === "staging");
  const developer = pick(Object.entries(kubeconfigs.viaKasAs), ([name]) => name === "developer")[1];
  const outsider = pick(Object.entries(kubeconfigs.viaKasAs), ([name]) => name === "outsider")[1];
  const views = await Promise.all([kubeconfigs.viaKas, developer].map((file) => AgentView.open(targetOf(file), namespace)));
  const [maintainers, developers] = views as [AgentView, AgentView];
  try {
    await expect.poll(() => views.map((view) => view.complete)).toEqual([true, true]);
    const listed = async (file: string): Promise<string[]> => {
      const text = await kubectl(file, [
        "get",
        "deployments,configmaps,services",
        "-n",
        namespace,
        "-o",
        "jsonpath={range .items[*]}{.kind}/{.metadata.name}{'\\n'}{end}",
      ]);
      // What every namespace has is shown nowhere.
      return text
        .trim()
        .split("\n")
        .filter((name) => name !== "ConfigMap/kube-root-ca.crt")
        .toSorted();
    };
    for (const [view, file] of [
      [maintainers, kubeconfigs.viaKas],
      [developers, developer],
    ] as const) {
      expect(view.present).toEqual(expect.arrayContaining(await listed(file)));
      expect(view.edges).toBeGreaterThan(0);
    }
    // Who may edit reads Secrets, which the agent itself may not; who may view does not.
    expect(
      [maintainers, developers].map(({ table }) =>
        Buffer.from(table.get("s//secrets/" + namespace) ?? []).includes('"settled":"forbidden"'),
      ),
    ).toEqual([false, true]);
    expect(maintainers.rights).not.toBe(developers.rights);

    await kubectl(kubeconfigs.cluster, ["create", "configmap", "sent-by-the-agent", "-n", namespace]);
    await expect.poll(() => views.every(({ present }) => present.includes("ConfigMap/sent-by-the-agent"))).toBe(true);
    await kubectl(kubeconfigs.cluster, ["delete", "configmap", "sent-by-the-agent", "-n", namespace]);
    await expect.poll(() => views.some(({ present }) => present.includes("ConfigMap/sent-by-the-agent"))).toBe(false);
    await expect(AgentView.open(targetOf(outsider), namespace)).rejects.toThrow("401");
  } finally {
    for (const view of views) view.close();
  }
});
