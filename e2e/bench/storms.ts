import { printFigures, type Figure } from "./goals.ts";
import { percentile } from "./statistics.ts";
import { hostileFlood } from "./hostile-flood.ts";
import { returnOfAgents } from "./storms-of-agents.ts";
import { lastingStorm, obedientUser, steadyUser, unknownTokens, watches, type Answers } from "./storms-of-users.ts";
import { startStormWorld, type StormWorld } from "./storm-world.ts";

const MIB = 1024 * 1024;
const p95 = (answers: Answers): number =>
  percentile(
    answers.filter(({ status }) => status === 200).map(({ ms }) => ms),
    0.95,
  );
const failed = (answers: Answers): number => answers.filter(({ status }) => status !== 200).length;

/** `npm run bench -- storms`: what kas does when everybody comes at once, with a verdict each (docs/design/limits.md). */
export async function benchStorms(): Promise<void> {
  for (const [heading, count, storm] of STORMS) {
    const world = await startStormWorld(count);
    try {
      printFigures(heading, await storm(world));
    } finally {
      await world.close();
    }
  }
}

const STORMS: readonly (readonly [string, 1 | 2, (world: StormWorld) => Promise<readonly Figure[]>])[] = [
  ["6,000 agents return at once", 1, agentsReturn],
  ["10,000 unknown tokens while a known user works", 1, tokensAreTried],
  ["one user has 700 watches while another reads", 1, oneUserWatches],
  ["1,100 watches and 1,000 waiting calls between two kas", 2, peersAreBusy],
  ["30 MB of hostile traffic a second, for a minute", 1, traffic],
];

async function agentsReturn(world: StormWorld): Promise<readonly Figure[]> {
  const { takenMs, refusals, left } = await returnOfAgents(world, 6_000, 300_000);
  return [
    { figure: "until the last is in", value: (takenMs.at(-1) ?? Number.NaN) / 1_000, unit: "s", goal: 150 },
    { figure: "agents that never got in", value: left, unit: "", goal: 0 },
    {
      figure: "refused without a word when to come back",
      value: refusals.filter((each) => each.retryAfterSeconds === undefined).length,
      unit: "",
      goal: 0,
    },
    { figure: "refusals in all", value: refusals.length, unit: "" },
  ];
}

async function tokensAreTried(world: StormWorld): Promise<readonly Figure[]> {
  await world.connect(1, 20);
  await world.ask({ agentId: 1, token: "user-1" });
  const storm = unknownTokens(world, 10_000);
  const [known, fresh] = await Promise.all([
    steadyUser(world, { token: "user-1", times: 100, pauseMs: 50 }),
    world.ask({ agentId: 1, token: "user-2", elsewhere: true }, 30_000),
  ]);
  const answers = await storm;
  const stop = new AbortController();
  const lasting = lastingStorm(world, stop.signal);
  const own = await obedientUser(world, { token: "user-3", times: 5 });
  stop.abort();
  await lasting;
  return [
    { figure: "known user, p95", value: p95(known), unit: "ms", goal: 1_000 },
    { figure: "known user, not answered 200", value: failed(known), unit: "", goal: 0 },
    { figure: "a new good credential", value: fresh.status === 200 ? fresh.ms / 1_000 : Number.POSITIVE_INFINITY, unit: "s", goal: 5 },
    { figure: "one from the storm's own address, each answer", value: own.longestMs / 1_000, unit: "s", goal: 5 },
    {
      figure: "the same until served, coming back at the stated times",
      value: own.status === 200 ? own.ms / 1_000 : Number.POSITIVE_INFINITY,
      unit: "s",
      goal: 20,
    },
    { figure: "unknown tokens that got in", value: answers.length - failed(answers), unit: "", goal: 0 },
  ];
}

async function oneUserWatches(world: StormWorld): Promise<readonly Figure[]> {
  await world.connect(1, 500);
  const quiet = await steadyUser(world, { token: "user-2", times: 200, pauseMs: 5 });
  const held = await watches(world, { token: "user-1", agentId: 1, count: 700 });
  const busy = await steadyUser(world, { token: "user-2", times: 200, pauseMs: 5 });
  held.end();
  return [
    { figure: "reader, p95 to his quiet p95", value: p95(busy) / p95(quiet), unit: "×", goal: 2 },
    { figure: "reader, not answered 200", value: failed(busy), unit: "", goal: 0 },
    { figure: "watches held of 500 tunnels", value: held.open, unit: "", goal: 250 },
    { figure: "watches short of the half that is his", value: 250 - held.open, unit: "", goal: 0 },
    { figure: "refused otherwise than with 429", value: held.refused.filter((status) => status !== 429).length, unit: "", goal: 0 },
  ];
}

async function peersAreBusy(world: StormWorld): Promise<readonly Figure[]> {
  await world.connect(1, 50);
  // A user may hold half of an agent's tunnels.
  const agents = Array.from({ length: 11 }, (_, index) => index + 10);
  for (const id of agents) await world.connect(id, 250);
  const held = await Promise.all(agents.map((agentId) => watches(world, { token: `user-${agentId}`, agentId, count: 100 })));
  const silent = 99;
  await world.connect(silent, 1);
  const one = await watches(world, { token: "user-99", agentId: silent, count: 1 });
  const waiting = Promise.all(Array.from({ length: 1_000 }, () => world.ask({ agentId: silent, token: "user-98" })));
  const reader = await steadyUser(world, { token: "user-1", times: 100, pauseMs: 10 });
  for (const { end } of [...held, one]) end();
  const waited = await waiting;
  const watching = held.reduce((sum, { open }) => sum + open, 0);
  return [
    { figure: "watches that are missing of 1,100 over the hop", value: 1_100 - watching, unit: "", goal: 0 },
    { figure: "waiting calls answered 200 once the watches ended", value: 1_000 - failed(waited), unit: "" },
    { figure: "reader of another agent, not answered 200", value: failed(reader), unit: "", goal: 0 },
    { figure: "reader of another agent, p95", value: p95(reader), unit: "ms", goal: 1_000 },
  ];
}

async function traffic(world: StormWorld): Promise<readonly Figure[]> {
  await world.connect(1, 20);
  await world.ask({ agentId: 1, token: "user-1" });
  const flood = hostileFlood(world, { bytesPerSecond: 30_000_000, seconds: 60 });
  const known = await steadyUser(world, { token: "user-1", times: 400, pauseMs: 100 });
  const sent = await flood;
  return [
    { figure: "highest memory of kas", value: (world.kas[0]?.program.resident().peak ?? Number.NaN) / MIB, unit: "MiB", goal: 512 },
    { figure: "known user, not answered 200", value: failed(known), unit: "", goal: 0 },
    { figure: "known user, p95", value: p95(known), unit: "ms" },
    { figure: "sent", value: sent / 1_000_000, unit: "MB" },
  ];
}
