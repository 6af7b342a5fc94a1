import { availableParallelism } from "node:os";
import { join } from "node:path";

import { workspaceFolders } from "../git/workspace-folders.ts";
import type { FaultSource } from "./changed-subjects.ts";
import { runFaults, type FaultVerdict } from "./fault-run.ts";
import type { PlantedFault } from "./planted-fault.ts";
import { runProgramFaults } from "./program-faults.ts";

/** Something that has planted faults, and how its tests are run: in this process for packages, against a process of its own for a program. */
export interface FaultSubject extends FaultSource {
  /** Absolute. */
  readonly directory: string;
  readonly run: (faults: readonly PlantedFault[], onVerdict: (verdict: FaultVerdict) => void) => Promise<readonly FaultVerdict[]>;
}

/** Tests that run in this process. */
interface InProcessTests {
  readonly name: string;
  /** Folder of what has the faults. */
  readonly path: string;
  /** Where the tests are, from this folder: a folder of unit tests, or files, which may be integration tests that run in their own process. */
  readonly tests: string;
  /** Those of the package and of what it runs with, unless others are given. */
  readonly folders?: readonly string[];
}

/** Parts of the dashboard's server, and their tests below their folder or below the server. */
const OF_WEB = {
  "action-effects": "**/*.test.ts",
  "action-plans": "**/*.test.ts",
  actions: "../{actions/**/*.test,bff-tests/actions/run-action.itest}.ts",
  audit: "../{audit/audit-sink.test,bff-tests/audit/audit-sink.itest}.ts",
  logs: "../{logs/*.test,bff-tests/logs/logs-socket.itest,bff-tests/logs/read-logs.itest}.ts",
  terminal: ".",
} as const;

/**
 * All that have planted faults.
 *
 * @param excluded tests that this machine cannot run, relative to the root; who has no other is left out
 */
export function faultSubjects(root: string, excluded: readonly string[]): readonly FaultSubject[] {
  const inProcess = ({ name, path, tests, folders = workspaceFolders(root, path) }: InProcessTests): FaultSubject => {
    const directory = join(root, path);
    const engine = { root, include: [join(path, tests.endsWith(".ts") ? tests : `${tests}/**/*.test.ts`)] };
    const how = { packageDir: directory, engine, lanes: Math.min(2, availableParallelism()), limitMs: 60_000 };
    return { name, directory, folders, run: (faults, onVerdict) => runFaults({ ...how, faults, onVerdict }) };
  };
  const program = (name: string, path: string, test: string): readonly FaultSubject[] => {
    const directory = join(root, path);
    if (excluded.includes(test)) return [];
    const how = { root, packageDir: directory, tests: [test] };
    const folders = [path, ...workspaceFolders(root, "apps/kas")];
    return [{ name, directory, folders, run: (faults, onVerdict) => runProgramFaults({ ...how, faults, onVerdict }) }];
  };
  return [
    ...["health", "graph", "manifests", "replica", "pod-logs"].map((name) => inProcess({ name, path: `packages/${name}`, tests: "src" })),
    inProcess({ name: "rpc", path: "packages/rpc", tests: "src/address-rules" }),
    inProcess({ name: "environment-view", path: "packages/environment-view", tests: "src/**/server-{skew,time}.test.ts" }),
    inProcess({ name: "agentk", path: "apps/agentk", tests: "src/{gitops,service-proxy,logs}" }),
    inProcess({ name: "kubelet-stand-in", path: "packages/kubelet-stand-in", tests: "src" }),
    ...Object.entries(OF_WEB).map(([name, tests]) => {
      const path = `apps/web/src/server/${name}`;
      return inProcess({ name, path, tests, folders: [path, `apps/web/src/server/bff-tests/${name}`, "apps/web/src/server/sockets"] });
    }),
    inProcess({ name: "many", path: "apps/web/src/features/actions", tests: "many-*.test.ts", folders: ["apps/web/src/features/actions"] }),
    inProcess({
      name: "upgrades",
      path: "apps/kas/src/kubernetes-api",
      tests: "listener/{upgraded-connection,upgrade-handshake}.itest.ts",
      folders: ["apps/kas/src/kubernetes-api"],
    }),
    // They take two minutes: a change elsewhere is not worth it.
    inProcess({ name: "views", path: "apps/kas/src/views", tests: "**", folders: ["apps/kas/src/views"] }),
    ...program("kas", "apps/kas", "apps/kas/src/hostile/cases.itest.ts"),
    ...program("leave", "e2e/leave", "e2e/leave/two-kas-leave.itest.ts"),
  ];
}
