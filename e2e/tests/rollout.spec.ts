import type { Page } from "@playwright/test";

import { targetOf } from "../support/bearer-request.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { openRollout, wantedAfter } from "../support/rollout.ts";
import { lagsOf, recordChanges, seriesOf, shownOn, type Sign } from "../support/shown-changes.ts";

const CHANGES = 50;
const OVER_MS = 20_000;
const NAME = "rolling";

test("W8, W9: through a rollout of 50 changes in 20 s the YAML, the conditions and the events of an open drawer stay current", async ({
  page,
  sandbox,
}, testInfo) => {
  const { kubeconfigs, environments } = sandbox.endpoints;
  const { namespace } = pick(environments, (entry) => entry.name === "production");
  const rollout = await openRollout({ target: targetOf(kubeconfigs.cluster), namespace, name: NAME });
  try {
    const drawer = (tab: string): string => `${graphUrl(sandbox, "production")}&sel=apps/deployments/${namespace}/${NAME}&tab=${tab}`;
    await signIn(page, sandbox, { username: "maintainer", url: drawer("yaml") });
    const [overview, events] = [await page.context().newPage(), await page.context().newPage()];
    const watched: readonly (readonly [page: Page, tab: string, signs: readonly Sign[]])[] = [
      // The whole object, its conditions among it.
      [page, "yaml", ["yaml", "condition"]],
      [overview, "overview", ["condition"]],
      [events, "events", ["event"]],
    ];
    for (const [each, tab, [sign = "yaml"]] of watched) {
      await each.goto(drawer(tab));
      await expect(each.getByRole("tabpanel")).toContainText(`${sign}-c0c`);
      await new EnvironmentPage(each).mark();
      await recordChanges(each);
    }

    await rollout.run(CHANGES, OVER_MS);
    const lags: Record<string, readonly number[]> = {};
    for (const [each, tab, signs] of watched) {
      for (const sign of signs) {
        const last = async (): Promise<number | undefined> => seriesOf(await shownOn(each), sign).at(-1);
        await expect.poll(last, `the last ${sign} on ${tab}`).toBe(CHANGES);
        const shown = await shownOn(each);
        const series = seriesOf(shown, sign);
        expect(series, `the ${sign} on ${tab} never goes back`).toEqual([...series].sort((a, b) => a - b));
        expect(series.filter((change) => change > 0 && change < CHANGES).length, `${sign} on ${tab} on the way`).toBeGreaterThan(0);
        lags[`${sign} on ${tab}`] = lagsOf(rollout.writtenMs, shown, sign);
      }
      await new EnvironmentPage(each).expectNoReload();
    }
    // The object is one that was there: its condition is written after its specification, and before the next.
    for (const { changes } of await shownOn(page)) {
      const [before, after] = [changes.condition ?? 0, changes.yaml ?? 0];
      expect([0, 1]).toContain(after - before);
    }
    const { image, replicas } = wantedAfter(CHANGES);
    await expect(page.getByRole("tabpanel")).toContainText(`image: ${image}`);
    await expect(page.getByRole("tabpanel")).toContainText(`replicas: ${replicas}`);
    await expect(events.getByRole("tabpanel")).toContainText(`${CHANGES + 1} times`);
    // ReplicaSets that are still there refer to what has gone, and later none does.
    await rollout.remove();
    await expect(page.getByText(/^Deleted .*Last known state\.$/)).toBeVisible();
    await expect(page.getByRole("button", { name: new RegExp(`^ReplicaSet ${NAME}-`) })).toHaveCount(0);
    await expect(page.getByRole("tabpanel")).toContainText(`yaml-c${CHANGES}c`);
    await testInfo.attach("lag of each change in milliseconds", { body: JSON.stringify(lags), contentType: "application/json" });
  } finally {
    await rollout.remove();
  }
});
