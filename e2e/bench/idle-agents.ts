import { bareIdleKib } from "./bare-node/bare-node.ts";
import { printFigures } from "./goals.ts";
import { memoryMibOf } from "./process-cpu.ts";
import { startStormWorld } from "./storm-world.ts";

const AGENTS = 400;
const TUNNELS = 10;

/** The costs of agents without requests: resident memory of a kas of their own, per agent with ten idle tunnels. */
export async function benchIdleAgents(): Promise<void> {
  const world = await startStormWorld(1, { gitlab: { api_rate_limit: { refill_rate_per_second: 1_000, bucket_size: 1_000 } } });
  try {
    const [kas] = world.kas;
    const { pid } = kas?.program ?? {};
    if (kas === undefined || pid === undefined) throw new Error("kas does not run");
    // One agent first: code that is loaded once belongs to no agent.
    await world.connect(1, TUNNELS);
    const beforeMib = memoryMibOf(pid);
    for (let agent = 2; agent <= AGENTS + 1; agent += 1) await world.connect(agent, TUNNELS);
    while ((await kas.metrics()).get("kas_tunnels_idle") !== (AGENTS + 1) * TUNNELS);
    const perAgent = ((memoryMibOf(pid) - beforeMib) * 1024) / AGENTS;
    printFigures(`${AGENTS} idle agents with ${TUNNELS} tunnels each`, [
      { figure: "resident memory per agent", value: perAgent, unit: "KiB", goal: 80 },
      { figure: "the same on Node's HTTP alone, without any code of ours", value: await bareIdleKib(AGENTS, TUNNELS), unit: "KiB" },
    ]);
  } finally {
    await world.close();
  }
}
