import { startTcpBalancer, type TcpBalancer } from "@binnacle/testing";

import type { ChaosWorld } from "../chaos-world.ts";
import type { Disturbance } from "../disturbance.ts";

const balancers = new WeakMap<ChaosWorld, TcpBalancer>();

async function balancerOf(world: ChaosWorld): Promise<TcpBalancer> {
  const known = balancers.get(world);
  if (known !== undefined) return known;
  const backends = (): readonly string[] => world.kas.map(({ addresses }) => addresses.agent);
  const balancer = world.closing(await startTcpBalancer(backends), (one) => one.close());
  balancers.set(world, balancer);
  return balancer;
}

/** Agents are behind a TCP balancer, one kas of which is killed; another one takes its place. */
export const killedKas: Disturbance = {
  name: "killed kas behind a TCP balancer",
  world: { agentk: async (world) => ({ kasAddress: `grpc://127.0.0.1:${(await balancerOf(world)).port}` }) },
  // Also what the dead kas itself can no longer answer.
  allowed: /^(50[234] |ECONNREFUSED$|ECONNRESET$|EPIPE$)/,
  async begin(world) {
    await world.kas[0]?.program.kill();
    // Both agents are at the other one.
    await world.reachable({ through: 1 });
  },
  end: (world) => world.replaceKas(0),
};
