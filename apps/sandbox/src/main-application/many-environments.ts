import type { Environment, World } from "./world.ts";

/** Far above those of the demo and of branches. */
const FIRST_ID = 1_000_000;
const MAX_COUNT = 1_000;
const HOUR_MS = 3_600_000;

/** Numbers in the query of a test's request. */
interface Wanted {
  get(name: string): string | null;
}

/**
 * For tests: the environments `review/branch-<n>` of group/app, from `first` on and `count` of them, and no others of that name. They share the demo's
 * namespaces, so that the cluster has no more to do; each is stopped by itself some hours later. Those with a number below `stopping` are being stopped.
 */
export function putManyEnvironments(world: World, query: Wanted): void {
  const [first, count, stopping] = [numberOf(query, "first"), Math.min(numberOf(query, "count"), MAX_COUNT), numberOf(query, "stopping")];
  const others = world.environments.filter(({ id }) => id < FIRST_ID);
  const many = Array.from({ length: count }, (_, index): Environment => {
    const number = first + index;
    const name = `review/branch-${number}`;
    return {
      id: FIRST_ID + number,
      projectId: 1,
      name,
      slug: name.replace("/", "-"),
      tier: "DEVELOPMENT",
      namespace: number % 10 === 0 ? "staging" : "production",
      agentId: 1,
      state: number < stopping ? "stopping" : "available",
      autoStopAt: new Date(Date.now() + (number + 1.5) * HOUR_MS),
    };
  });
  world.setEnvironments([...others, ...many]);
}

function numberOf(query: Wanted, name: string): number {
  const text = query.get(name) ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}
