import { ExecScene } from "../exec/exec-scene.ts";
import { benchLogStreams } from "./log-streams.ts";
import { measureCopies } from "./stream-copies.ts";
import { execOf, type ExecWay } from "./stream-sockets.ts";
import { forward, type Forwarded } from "./stream-forwards.ts";
import { printFigures, type Figure } from "./goals.ts";
import { memoryMibOf } from "./process-cpu.ts";
import { percentile, printTable } from "./statistics.ts";

const WAYS: readonly ExecWay[] = ["direct", "near", "far"];
const ROUND_TRIPS = 300;
const WARM_UPS = 30;
const FORWARD_ROUNDS = 3;
const FORWARD_MIB = 64;
const TERMINALS = 100;
const MIB = 1024 * 1024;

/** Parts of the benchmark. */
const PARTS = {
  // First of all: later, terminals fit into memory that other work has left.
  terminals: async (scene: ExecScene) => printFigures(`${TERMINALS} open terminals through two kas`, await terminalFigures(scene)),
  exec: async (scene: ExecScene) => printFigures("exec, a line there and back", await roundTripFigures(scene)),
  forwards: async (scene: ExecScene) => printFigures("port-forward, WebSocket", await forwardFigures(scene)),
  copies: async (scene: ExecScene, mib: number) =>
    printFigures(`exec: ${mib} MiB out, then ${mib} MiB in, through two kas`, await measureCopies(scene, mib)),
  logs: () => benchLogStreams(),
} satisfies Readonly<Record<string, (scene: ExecScene, mib: number) => Promise<void> | void>>;

/**
 * Upgraded connections through one kas and two beside kubectl's direct way, then logs of a whole product. The kubelet and its containers are simulated and run
 * in this process, for every way alike.
 *
 * @param mib what is copied each way
 * @param only names of parts, all when empty
 */
export async function benchStreams(mib: number, only: readonly string[] = []): Promise<void> {
  const unknown = only.filter((name) => !(name in PARTS));
  if (unknown.length > 0) throw new Error(`streams has no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
  const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);
  const { logs, ...ofPods } = PARTS;
  const scene = new ExecScene();
  try {
    await scene.start();
    for (const [name, measure] of Object.entries(ofPods)) if (isWanted(name)) await measure(scene, mib);
  } finally {
    await scene.stop();
  }
  if (isWanted("logs")) await logs();
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

/**
 * What each terminal takes of resident memory, as the processes are ("opened") and when they have collected their garbage ("settled"), and of what is
 * alive then ("held"): new terminals fit in part into memory that a process had before.
 */
async function terminalFigures(scene: ExecScene): Promise<readonly Figure[]> {
  const programs = { "near kas": scene.kas.near.program, "far kas": scene.kas.far.program, agentk: scene.agentk.program };
  const residentMib = (): number[] => Object.values(programs).map(({ pid }) => memoryMibOf(pid));
  const heldMib = async (): Promise<number[]> => {
    const all = await Promise.all(Object.values(programs).map((program) => program.heldMemory()));
    return all.map(({ heapUsed, external }) => (heapUsed + external) / MIB);
  };
  const heldBefore = await heldMib();
  const before = residentMib();
  const terminals = [];
  for (let index = 0; index < TERMINALS; index += 1) {
    const terminal = await execOf(scene, "far", { command: ["sh"], tty: true });
    await terminal.echo("echo hello\r", /\nhello\r\n/);
    terminals.push(terminal);
  }
  const open = residentMib();
  const held = await heldMib();
  const settled = residentMib();
  const figuresOf = (when: string, mib: readonly number[], since = before): Figure[] => {
    const each = mib.map((now, index) => (now - (since[index] ?? 0)) / TERMINALS);
    return [
      ...Object.keys(programs).map((name, index) => ({ figure: `${when}: each in ${name}`, value: each[index] ?? 0, unit: "MiB" })),
      { figure: `${when}: in all three`, value: each.reduce((sum, one) => sum + one, 0), unit: "MiB", goal: 1 },
    ];
  };
  const figures = [...figuresOf("opened", open), ...figuresOf("settled", settled), ...figuresOf("held", held, heldBefore)];
  for (const terminal of terminals) terminal.close();
  return figures;
}
