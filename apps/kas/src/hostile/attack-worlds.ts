import { AttackWorld } from "./attack-world.ts";
import type { Attack } from "./attack.ts";

/** A world with TLS and one without; each is opened when the first attack needs it. */
export class AttackWorlds {
  readonly #worlds = new Map<Attack["port"], Promise<AttackWorld>>();

  of({ port }: Pick<Attack, "port">): Promise<AttackWorld> {
    const world = this.#worlds.get(port) ?? AttackWorld.open(port);
    this.#worlds.set(port, world);
    return world;
  }

  async close(): Promise<void> {
    for (const world of this.#worlds.values()) await (await world).close();
  }
}
