// needs: control-plane
import { pick } from "../support/endpoints.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { ManifestClone } from "../support/manifest-clone.ts";
import { syncEnded } from "../support/sync-ended.ts";

const NAMESPACE = "production";

test("while the agent's token is revoked nothing is pruned, the page says why, and all is well when it is good again", async ({
  page,
  startSandbox,
}) => {
  const sandbox = await startSandbox([]);
  const { repository, directory } = pick(sandbox.endpoints.manifestProjects, ({ environment }) => environment === NAMESPACE);
  const clone = await ManifestClone.of(repository);
  const tokens = async (change: "revoke" | "restore"): Promise<void> => {
    const answer = await fetch(`${sandbox.endpoints.mainApplication.url}/-/sandbox/${change}-agent-tokens`, { method: "POST" });
    expect(answer.status).toBe(204);
  };
  /** A thing that was pruned and made again has another uid. */
  const uids = () =>
    kubectl(sandbox.endpoints.kubeconfigs.cluster, [
      "-n",
      NAMESPACE,
      "get",
      "deployments,services,configmaps,secrets",
      "-o",
      "jsonpath={.items[*].metadata.uid}",
    ]);
  try {
    const [before, whole] = [await uids(), await clone.head()];
    await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, NAMESPACE).replace("view=graph", "view=summary") });
    const [pill, card] = [page.locator("[data-sync]"), page.locator("[data-sync-of]")];
    await expect(pill).toHaveAttribute("data-sync", "Synced");

    await tokens("revoke");
    // Each push has kas ask again; until it hears of it, nothing is taken away.
    let pushes = 0;
    await expect(async () => {
      clone.write("notes.txt", `${(pushes += 1)}\n`);
      await clone.push("Note something");
      await expect(pill).toContainText("repository cannot be read", { timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await clone.remove(`${directory}/50-background.yaml`);
    const unseen = await clone.push("Remove the worker while the repository is hidden");
    await expect(card).toContainText("What was applied stays");
    await expect(card).not.toContainText(unseen.slice(0, 8));
    expect(await uids()).toBe(before);

    await tokens("restore");
    await clone.restore(whole);
    const back = await clone.push("Bring the worker back");
    // An agent that was refused comes back after a while.
    expect(await syncEnded(sandbox, back, { timeoutMs: 120_000 })).toMatchObject({ state: "synced", pruned: 0, failed: 0 });
    await expect(pill).not.toContainText("cannot be read");
    expect(await uids()).toBe(before);
  } finally {
    clone.dispose();
  }
});
