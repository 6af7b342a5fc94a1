import { benchDriftToPage } from "./drift-to-page.ts";
import { largeManifestFiles } from "./gitops-manifests.ts";
import { DIRECTORY, GitopsWorld } from "./gitops-world.ts";
import { printFigures, type Figure } from "./goals.ts";
import { benchIdleRepositories } from "./idle-repositories.ts";
import { memoryMibOf, peakMemoryMibOf, resetPeakMemoryOf } from "./process-cpu.ts";
import { benchPushToPage } from "./push-to-page.ts";
import { benchPushToApplied } from "./push-to-applied.ts";

const MIB = 1024 * 1024;

/** `npm run bench -- gitops`: from a push to the cluster, on a real control plane, and to an open page; from a change by hand to it; and what agents cost that wait for a push. */
export async function benchGitops(): Promise<void> {
  if (process.env["KUBEBUILDER_ASSETS"] === undefined) {
    process.stderr.write("push → applied needs a real control plane and kubectl: set KUBEBUILDER_ASSETS\n");
  } else {
    const world = await GitopsWorld.start();
    try {
      const idleMib = memoryMibOf(world.sandbox.endpoints.pids.agentk[0] ?? 0);
      const { beforeMib, peakMib } = await benchPushToApplied(world);
      printFigures("Memory", [
        { figure: "agentk when the demo is deployed", value: idleMib, unit: "MiB" },
        { figure: "agentk before 2,000 manifests", value: beforeMib, unit: "MiB" },
        { figure: "agentk, peak for 2,000 manifests", value: peakMib, unit: "MiB" },
        ...(await largeRepository(world)),
      ]);
    } finally {
      await world.stop();
    }
  }
  await benchPushToPage();
  await benchDriftToPage();
  await benchIdleRepositories();
}

/** A repository of 100 MB of which 19 MB are manifests, almost a megabyte each. */
async function largeRepository(world: GitopsWorld): Promise<readonly Figure[]> {
  const { kas, agentk } = world.sandbox.endpoints.pids;
  const watched = [["kas", kas[0]] as const, ["agentk", agentk[0]] as const];
  const before = watched.map(([, pid = 0]) => {
    resetPeakMemoryOf(pid);
    return memoryMibOf(pid);
  });
  // They would be too many files. To prune them needs consent, so they stay in the cluster.
  await world.remove(`${DIRECTORY}/small`);
  world.writeBallast(81, MIB);
  world.write(largeManifestFiles({ directory: `${DIRECTORY}/large`, objects: 19 }));
  await world.deploy();
  return watched.flatMap(([name, pid = 0], index) => [
    { figure: `${name} before a repository of 100 MB`, value: before[index] ?? Number.NaN, unit: "MiB" },
    { figure: `${name}, peak for it (19 MB of manifests)`, value: peakMemoryMibOf(pid), unit: "MiB" },
  ]);
}
