import { connect, type Socket } from "node:net";

import { eventually } from "@binnacle/testing";

import { LIST_PATH } from "../../leave/counting-api.ts";
import type { ChaosWorld } from "../chaos-world.ts";
import type { Disturbance } from "../disturbance.ts";

/** MiB of old space; an idle kas needs about half of it. */
const HEAP_MIB = 64;
const READERS = 120;
const LIMIT_MS = 60_000;

const readers = new WeakMap<ChaosWorld, readonly Socket[]>();

/** A kas with a small heap and small byte budgets, and many readers of a large list who do not read. */
export const smallHeap: Disturbance = {
  name: "small heap",
  world: {
    kas: (index) =>
      index === 0
        ? {
            nodeFlags: [`--max-old-space-size=${HEAP_MIB}`],
            configuration: {
              limits: { agent_wait: "5s", process_bytes: 32 * 2 ** 20, agent_bytes: 16 * 2 ** 20, user_bytes: 8 * 2 ** 20 },
            },
          }
        : {},
  },
  // Refused for bytes that others let wait, or for the turn that they have at an agent.
  allowed: /^(429|50[234]) /,
  async begin(world) {
    const [host = "", port = ""] = (world.kas[0]?.addresses.k8sProxy ?? "").split(":");
    const crowd = Array.from({ length: READERS }, (_, nr) => {
      const socket = connect({ host, port: Number(port) });
      socket.on("error", () => socket.destroy()).pause();
      socket.write(`GET ${LIST_PATH} HTTP/1.1\r\nhost: kas\r\nauthorization: Bearer pat:${(nr % 2) + 1}:user-${(nr % 9) + 2}\r\n\r\n`);
      return socket;
    });
    readers.set(world, crowd);
    // The budgets do what they are there for.
    await eventually(async () => ((await cutsOf(world)) > 0 ? undefined : "no answer was cut for the bytes that wait"), LIMIT_MS);
  },
  end(world) {
    for (const socket of readers.get(world) ?? []) socket.destroy();
    return Promise.resolve();
  },
};

/** How many answers the first kas has cut for unread bytes. */
async function cutsOf(world: ChaosWorld): Promise<number> {
  const answer = await fetch(`http://${world.kas[0]?.addresses.observability}/metrics`, { signal: AbortSignal.timeout(LIMIT_MS) });
  const counts = (await answer.text()).matchAll(/^kas_budget_cuts_total\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
