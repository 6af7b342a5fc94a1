import { encodeAhead, startAttackClient } from "./attack-client.ts";
import type { AttackWorld } from "./attack-world.ts";
import type { Attack } from "./attack.ts";

/**
 * Runs an attack against a world. While it runs and after it the neighbour is served; then everything is as before.
 *
 * @returns what was wrong, one sentence each; afterwards the world is whole again, whatever happened
 */
export async function problemsOfAttack(world: AttackWorld, attack: Attack): Promise<readonly string[]> {
  await world.prepare();
  encodeAhead(attack);
  const clients = Array.from({ length: attack.clients }, () => startAttackClient(world, attack));
  const [during] = await Promise.all([world.neighbourProblem(), ...clients.map((client) => client.done)]);
  const held = await world.problemsWhileHeld();
  for (const client of clients) client.leave();
  const after = await world.problemsAfterwards();
  // Of a kas that has ended, nothing else is worth saying.
  const problems = !world.alive ? after : [...(during === undefined ? [] : [during]), ...held, ...after];
  if (problems.length > 0) await world.replace();
  return problems;
}
