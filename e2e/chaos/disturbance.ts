import { eventually } from "@binnacle/testing";

import { ChaosLoad, type LoadOutcome } from "./chaos-load.ts";
import { ChaosWorld, type WorldOptions } from "./chaos-world.ts";

/** Something that happens to a world under load, and ends. */
export interface Disturbance {
  readonly name: string;
  readonly world?: WorldOptions;
  /** Codes with which requests may fail meanwhile; every other failure is a mistake. */
  readonly allowed: RegExp;
  /** Begins it, after which nothing may be taken for granted, and settles when it has had its effect. */
  begin(world: ChaosWorld): Promise<void>;
  /** Ends it. */
  end(world: ChaosWorld): Promise<void>;
  /** What is wrong afterwards, beside what is wrong after any. */
  wrongAfter?(world: ChaosWorld): Promise<readonly string[]>;
}

/** What a disturbance came to. */
export interface Verdict {
  readonly name: string;
  readonly requests: number;
  readonly answered: number;
  readonly failures: ReadonlyMap<string, number>;
  readonly longestMs: number;
  /** Empty: all is as it should be. */
  readonly wrong: readonly string[];
}

/** Requests before and after, and while the disturbance lasts. */
export interface Lengths {
  readonly calm: number;
  readonly disturbed: number;
}

/** More than a pool of connections on each side. */
const MORE_DESCRIPTORS = 40;
const LIMIT_MS = 60_000;

/** Runs one: load, disturbance, its end, and the same load again. @throws when the world does not come back */
export async function runDisturbance(disturbance: Disturbance, { calm, disturbed }: Lengths): Promise<Verdict> {
  const world = await ChaosWorld.start(disturbance.world);
  try {
    const load = new ChaosLoad(world);
    const wrong: string[] = [];
    try {
      await load.more(calm);
      await load.settled();
      wrong.push(...failuresOf(load.outcomes, /^$/, "before"));
      const open = descriptorsOf(world);
      await disturbance.begin(world);
      const begun = load.outcomes.length;
      await load.more(disturbed);
      await disturbance.end(world);
      await world.reachable();
      await load.settled();
      wrong.push(...failuresOf(load.outcomes.slice(begun), disturbance.allowed, "meanwhile"));
      const returned = load.outcomes.length;
      await load.more(calm);
      await load.settled();
      wrong.push(...failuresOf(load.outcomes.slice(returned), /^$/, "afterwards"));
      wrong.push(...deadOf(world));
      await eventually(() => moreOpenThan(world, open), LIMIT_MS);
    } finally {
      await load.stop();
    }
    wrong.push(...[...world.api.written].filter(([, times]) => times > 1).map(([path, times]) => `${path} was written ${times} times`));
    wrong.push(...((await disturbance.wrongAfter?.(world)) ?? []));
    return { name: disturbance.name, ...sumOf(load.outcomes), wrong };
  } finally {
    await world.stop();
  }
}

function failuresOf(outcomes: readonly LoadOutcome[], allowed: RegExp, when: string): readonly string[] {
  const bad = outcomes.filter(({ code }) => code !== "200" && !allowed.test(code)).map(({ code }) => code);
  return [...new Set(bad)].map((code) => `${when}: ${bad.filter((each) => each === code).length} × ${code}`);
}

/** Each process is the one of the beginning, but for those that the disturbance itself replaced. */
function deadOf(world: ChaosWorld): readonly string[] {
  return [...world.kas, ...world.agents]
    .filter(({ program }) => !program.alive)
    .map(({ program }) => `process ${program.pid} died:\n${program.output.slice(-2_000)}`);
}

function descriptorsOf(world: ChaosWorld): readonly number[] {
  return [...world.kas, ...world.agents].map(({ program }) => program.descriptors());
}

function moreOpenThan(world: ChaosWorld, before: readonly number[]): string | undefined {
  const now = descriptorsOf(world);
  const isMore = now.some((count, index) => count > (before[index] ?? 0) + MORE_DESCRIPTORS);
  return isMore ? `descriptors stay open: ${before.join(", ")} before, ${now.join(", ")} now` : undefined;
}

function sumOf(outcomes: readonly LoadOutcome[]): Omit<Verdict, "name" | "wrong"> {
  const failures = new Map<string, number>();
  for (const { code } of outcomes) if (code !== "200") failures.set(code, (failures.get(code) ?? 0) + 1);
  const answered = outcomes.filter(({ code }) => code === "200").length;
  return { requests: outcomes.length, answered, failures, longestMs: Math.max(...outcomes.map(({ ms }) => ms)) };
}
