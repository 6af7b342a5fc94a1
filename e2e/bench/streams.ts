import { ExecScene } from "../exec/exec-scene.ts";
import { benchLogPage } from "./log-page.ts";
import { benchLogSearch } from "./log-search.ts";
import { benchLogStreams } from "./log-streams.ts";
import { measureCopies } from "./stream-copies.ts";
import { execOf, type ExecWay } from "./stream-sockets.ts";
import { forward, type Forwarded } from "./stream-forwards.ts";
import { printFigures, type Figure } from "./goals.ts";
import { percentile, printTable } from "./statistics.ts";
import { figuresOfTerminals, memoryOf } from "./terminal-memory.ts";
import { webTerminalFigures } from "./web-terminals.ts";

const WAYS: readonly ExecWay[] = ["direct", "near", "far"];
const ROUND_TRIPS = 300;
const WARM_UPS = 30;
const FORWARD_ROUNDS = 3;
const FORWARD_MIB = 64;
const TERMINALS = 100;

/** Parts that share a control plane with two kas. */
const PARTS_OF_SCENE = {
  // First of all: later, terminals fit into memory that other work has left.
  terminals: async (scene: ExecScene) => printFigures(`${TERMINALS} open terminals through two kas`, await terminalFigures(scene)),
  exec: async (scene: ExecScene) => printFigures("exec, a line there and back", await roundTripFigures(scene)),
  forwards: async (scene: ExecScene) => printFigures("port-forward, WebSocket", await forwardFigures(scene)),
  copies: async (scene: ExecScene, mib: number) =>
    printFigures(`exec: ${mib} MiB out, then ${mib} MiB in, through two kas`, await measureCopies(scene, mib)),
} satisfies Readonly<Record<string, (scene: ExecScene, mib: number) => Promise<void>>>;

/** Parts that start what they need. */
const PARTS_ALONE = {
  "web-terminals": async () => printFigures(`${TERMINALS} open terminals of pages, through web and two kas`, await webTerminalFigures()),
  logs: benchLogStreams,
  "log-search": benchLogSearch,
  "log-page": benchLogPage,
} satisfies Readonly<Record<string, () => Promise<void>>>;

/**
 * Upgraded connections through one kas and two beside kubectl's direct way, then terminals and logs of a whole product. The kubelet and its containers are simulated;
 * those of the first four parts run in this process, for every way alike.
 *
 * @param mib what is copied each way
 * @param only names of parts, all when empty
 */
export async function benchStreams(mib: number, only: readonly string[] = []): Promise<void> {
  const names = [...Object.keys(PARTS_OF_SCENE), ...Object.keys(PARTS_ALONE)];
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`streams has no part ${unknown.join(", ")}; there are ${names.join(", ")}`);
  const isWanted = ([name]: readonly [string, unknown]): boolean => only.length === 0 || only.includes(name);
  const ofScene = Object.entries(PARTS_OF_SCENE).filter(isWanted);
  if (ofScene.length > 0) {
    const scene = new ExecScene();
    try {
      await scene.start();
      for (const [, measure] of ofScene) await measure(scene, mib);
    } finally {
      await scene.stop();
    }
  }
  for (const [, measure] of Object.entries(PARTS_ALONE).filter(isWanted)) await measure();
}

/** In turns, so that what disturbs one way disturbs all. */
async function roundTripFigures(scene: ExecScene): Promise<readonly Figure[]> {
  const sockets = await Promise.all(WAYS.map((way) => execOf(scene, way, { command: ["cat"], tty: false })));
  const ms = WAYS.map((): number[] => []);
  for (let round = -WARM_UPS; round < ROUND_TRIPS; round += 1) {
    for (const [index, socket] of sockets.entries()) {
      const beganMs = performance.now();
      await socket.echo(`round trip ${round}\n`);
      if (round >= 0) ms[index]?.push(performance.now() - beganMs);
    }
  }
  for (const socket of sockets) socket.close();
  printTable(
    `${ROUND_TRIPS} each way`,
    WAYS.map((way, index) => ({ way, "p50 ms": percentile(ms[index] ?? [], 0.5), "p95 ms": percentile(ms[index] ?? [], 0.95) })),
  );
  const [direct = Number.NaN, near = Number.NaN, far = Number.NaN] = ms.map((samples) => percentile(samples, 0.5));
  return [
    { figure: "added p50 through one kas", value: near - direct, unit: "ms", goal: 3 },
    { figure: "added p50 through two kas", value: far - direct, unit: "ms", goal: 3 },
  ];
}

async function forwardFigures(scene: ExecScene): Promise<readonly Figure[]> {
  const forwards = WAYS.map((): Forwarded[] => []);
  for (let round = 0; round < FORWARD_ROUNDS; round += 1) {
    for (const [index, way] of WAYS.entries()) forwards[index]?.push(await forward(scene, way, FORWARD_MIB));
  }
  const cpu = forwards.map((samples) => medianCpu(samples));
  printTable(
    "CPU ms per MiB of both directions",
    WAYS.map((way, index) => ({ way, ...cpu[index] })),
  );
  const [directCpu = Number.NaN, nearCpu = Number.NaN, farCpu = Number.NaN] = cpu.map(({ all }) => all);
  const rates = forwards.map((samples) => samples.map(({ mibPerSecond }) => mibPerSecond));
  const [direct = Number.NaN, near = Number.NaN, far = Number.NaN] = rates.map((samples) => percentile(samples, 0.5));
  return [
    { figure: `direct, ${FORWARD_MIB} MiB there and back`, value: direct, unit: "MiB/s" },
    { figure: "through one kas / direct", value: near / direct, unit: "", least: 0.5 },
    { figure: "through two kas / direct", value: far / direct, unit: "", least: 0.5 },
    // All processes share the cores: with all cores busy all the time, throughput is the inverse of the CPU.
    { figure: "the same by CPU of all processes, one kas", value: directCpu / nearCpu, unit: "" },
    { figure: "the same by CPU of all processes, two kas", value: directCpu / farCpu, unit: "" },
  ];
}

/** Of each process, and of all. */
function medianCpu(samples: readonly Forwarded[]): Readonly<Record<string, number>> & { readonly all: number } {
  const names = Object.keys(samples[0]?.cpuMsPerMib ?? {});
  const parts = names.map(
    (name) =>
      [
        name,
        percentile(
          samples.map(({ cpuMsPerMib }) => cpuMsPerMib[name] ?? Number.NaN),
          0.5,
        ),
      ] as const,
  );
  return { ...Object.fromEntries(parts), all: parts.reduce((sum, [, ms]) => sum + ms, 0) };
}

/** Without web: a client of the Kubernetes proxy for each terminal. */
async function terminalFigures(scene: ExecScene): Promise<readonly Figure[]> {
  const programs = { "near kas": scene.kas.near.program, "far kas": scene.kas.far.program, agentk: scene.agentk.program };
  const before = await memoryOf(programs);
  const terminals = [];
  for (let index = 0; index < TERMINALS; index += 1) {
    const terminal = await execOf(scene, "far", { command: ["sh"], tty: true });
    await terminal.echo("echo hello\r", /\nhello\r\n/);
    terminals.push(terminal);
  }
  const figures = figuresOfTerminals(TERMINALS, before, await memoryOf(programs));
  for (const terminal of terminals) terminal.close();
  return figures;
}
