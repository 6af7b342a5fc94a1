import type { WatchEnvironmentResponse } from "@binnacle/proto/dashboard";

import { openDashboard } from "../support/dashboard-client.ts";
import { pick } from "../support/endpoints.ts";
import { kubectl } from "../support/kubectl.ts";
import { Sandbox } from "../support/sandbox.ts";
import { printFigures } from "./goals.ts";
import { percentile } from "./statistics.ts";
import { waitUntil } from "./wait-until.ts";

const ENVIRONMENT = "production";
/** Deployments of the demo that are applied from Git, each changed once: the agent corrects a change at its next sync, minutes later. */
const DEPLOYMENTS = ["api", "web", "worker", "reports"];
/** "Drift within 5 s". */
const MAX_MS = 5_000;

/** From a change by hand until the stream of an open page names it as drift; the product as `npm start` starts it. */
export async function benchDriftToPage(): Promise<void> {
  const cluster = process.env["KUBEBUILDER_ASSETS"] === undefined ? "embedded" : "real";
  const sandbox = await Sandbox.start({ cluster });
  const { environments, kubeconfigs } = sandbox.endpoints;
  const { namespace, project } = pick(environments, ({ name }) => name === ENVIRONMENT);
  const leave = new AbortController();
  try {
    const client = await openDashboard(sandbox, "maintainer");
    const drifted = new Set<string>();
    let isCompared = false;
    const follow = async (messages: AsyncIterable<WatchEnvironmentResponse>): Promise<void> => {
      for await (const { message } of messages) {
        const delivery =
          message.case === "delivery" ? message.value : message.case === "header" ? message.value.environment?.delivery : undefined;
        for (const { objects, compared } of delivery?.drift?.projects ?? []) {
          isCompared ||= compared > 0;
          for (const { name } of objects) drifted.add(name);
        }
      }
    };
    const open = follow(client.watchEnvironment({ projectPath: project, environment: ENVIRONMENT }, { signal: leave.signal }));
    open.catch(() => undefined);
    await waitUntil(() => isCompared);
    const tookMs: number[] = [];
    for (const name of DEPLOYMENTS) {
      const startedMs = performance.now();
      await kubectl(kubeconfigs.cluster, ["set", "image", `deployment/${name}`, "*=registry.example/bench:1", "-n", namespace]);
      await waitUntil(() => drifted.has(name));
      tookMs.push(performance.now() - startedMs);
    }
    printFigures(`A change by hand → an open page, ${cluster} cluster, kubectl included`, [
      { figure: `median of ${tookMs.length} changes`, value: percentile(tookMs, 0.5), unit: "ms" },
      { figure: "the slowest", value: Math.max(...tookMs), unit: "ms", goal: MAX_MS },
    ]);
  } finally {
    leave.abort();
    await sandbox.stop();
  }
}
