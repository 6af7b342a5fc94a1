import type { Page } from "playwright-core";

import { targetOf } from "../support/bearer-request.ts";
import { pick } from "../support/endpoints.ts";
import { graphUrl } from "../support/environment-page.ts";
import { openRollout } from "../support/rollout.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { lagsOf, recordChanges, seriesOf, shownOn, type Sign } from "../support/shown-changes.ts";
import type { Figure } from "./goals.ts";
import { percentile } from "./statistics.ts";

const CHANGES = 50;
const OVER_MS = 20_000;
const NAME = "rolling";
const GOAL_MS = 1_000;
const LOOK_MS = 100;
const PATIENCE_MS = 60_000;
/** Which tab of the drawer shows what. */
const TABS: readonly (readonly [tab: string, signs: readonly Sign[]])[] = [
  ["yaml", ["yaml", "condition"]],
  ["events", ["event"]],
];

/**
 * How far an open drawer is behind a rollout of 50 changes in 20 s: from the answer to the last write of a change until it, or one that
 * came after it, stands in the page. The page is signed in.
 */
export async function rolloutLagFigures(page: Page, sandbox: Sandbox): Promise<readonly Figure[]> {
  const { environments, kubeconfigs } = sandbox.endpoints;
  const { namespace } = pick(environments, (entry) => entry.name === "production");
  const figures: Figure[] = [];
  for (const [tab, signs] of TABS) {
    const rollout = await openRollout({ target: targetOf(kubeconfigs.cluster), namespace, name: NAME });
    await page.goto(`${graphUrl(sandbox, "production")}&sel=apps/deployments/${namespace}/${NAME}&tab=${tab}`);
    await page.getByRole("tabpanel").getByText(`${signs[0]}-c0c`).waitFor();
    await recordChanges(page);
    await rollout.run(CHANGES, OVER_MS);
    for (const sign of signs) {
      await lastShown(page, sign);
      const shown = await shownOn(page);
      const lags = lagsOf(rollout.writtenMs, shown, sign);
      const what = `${sign} of the drawer behind a rollout`;
      figures.push(
        { figure: `${what}: states shown of ${CHANGES}`, value: new Set(seriesOf(shown, sign)).size - 1, unit: "" },
        { figure: `${what}, p50`, value: percentile(lags, 0.5), unit: "ms" },
        { figure: `${what}, longest`, value: Math.max(...lags), unit: "ms", goal: GOAL_MS },
      );
    }
    await rollout.remove();
  }
  return figures;
}

async function lastShown(page: Page, sign: Sign): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (seriesOf(await shownOn(page), sign).at(-1) !== CHANGES) {
    if (Date.now() > deadline) throw new Error(`the last change was not shown within ${PATIENCE_MS / 1000} s`);
    await page.waitForTimeout(LOOK_MS);
  }
}
