import type { WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { setTimeout as sleep } from "node:timers/promises";

import { openDashboard } from "../support/dashboard-client.ts";
import { pick } from "../support/endpoints.ts";
import { ManifestClone } from "../support/manifest-clone.ts";
import { Sandbox } from "../support/sandbox.ts";
import { percentile, printTable } from "./statistics.ts";

const ENVIRONMENT = "production";
const ROUNDS = 20;
/** Pushes that follow each other more closely wait for each other: kas looks once a second at most. */
const QUIET_MS = 1_500;
const FILE = "60-bench.yaml";

/** When an open page received a commit, in ms since the beginning of its push. */
interface PushTimes {
  readonly pushMs: number;
  /** That it is the commit of the sync. */
  readonly cardMs: number;
  /** That it is the one that is deployed. */
  readonly deployedMs: number;
}

/** The product as `npm start` starts it, embedded cluster: from a push until the stream of an open page says the commit. */
export async function benchPushToPage(): Promise<void> {
  const sandbox = await Sandbox.start({ cluster: "embedded" });
  const { project, repository, directory } = pick(sandbox.endpoints.manifestProjects, ({ environment }) => environment === ENVIRONMENT);
  const clone = await ManifestClone.of(repository);
  const leave = new AbortController();
  try {
    const client = await openDashboard(sandbox, "maintainer");
    const page = new Page();
    const open = page.follow(client.watchEnvironment({ projectPath: project, environment: ENVIRONMENT }, { signal: leave.signal }));
    open.catch(() => undefined);
    const times: PushTimes[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      await sleep(QUIET_MS);
      clone.write(`${directory}/${FILE}`, manifest(round));
      const startedMs = performance.now();
      const since = (): number => performance.now() - startedMs;
      const commit = await clone.push(`Round ${round}`);
      const pushMs = since();
      const [cardMs, deployedMs] = await Promise.race([
        Promise.all([page.says("card", commit).then(since), page.says("deployed", commit).then(since)]),
        open.then(() => Promise.reject(new Error("the stream ended"))),
      ]);
      // The first one creates; it is not counted.
      if (round > 0) times.push({ pushMs, cardMs, deployedMs });
    }
    const row = (what: string, of: (one: PushTimes) => number) => {
      const all = times.map(of);
      return { "since git push began": what, "p50 ms": percentile(all, 0.5), "p95 ms": percentile(all, 0.95), rounds: all.length };
    };
    printTable("Push → an open page, which asks each second in the sandbox (10 s by default)", [
      row("git push itself", ({ pushMs }) => pushMs),
      row("the commit is on the card", ({ cardMs }) => cardMs),
      row("it is the deployed one", ({ deployedMs }) => deployedMs),
    ]);
  } finally {
    leave.abort();
    clone.dispose();
    await sandbox.stop();
  }
}

/** What an open page has received, and who waits for it. */
class Page {
  readonly #shown = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  async follow(messages: AsyncIterable<WatchEnvironmentResponse>): Promise<void> {
    for await (const { message } of messages) {
      const delivery =
        message.case === "delivery" ? message.value : message.case === "header" ? message.value.environment?.delivery : undefined;
      for (const { sha } of delivery?.sync?.value?.syncs ?? []) this.#tell(`card ${sha}`);
      const deployed = delivery?.lastDeployment?.value;
      if (deployed !== undefined) this.#tell(`deployed ${deployed.sha}`);
    }
  }

  says(where: "card" | "deployed", commit: string): Promise<void> {
    const what = `${where} ${commit}`;
    return this.#shown.has(what) ? Promise.resolve() : new Promise((resolve) => void this.#waiting.set(what, resolve));
  }

  #tell(what: string): void {
    this.#shown.add(what);
    this.#waiting.get(what)?.();
  }
}

function manifest(round: number): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: bench }\ndata: { round: "${round}" }\n`;
}
