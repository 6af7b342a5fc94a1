import { ServiceScene } from "../services/service-scene.ts";
import { percentile, printTable } from "./statistics.ts";

const QUERIES = 300;
const RANGES = 10;
/** A query before it counts: connections are open, and code is compiled. */
const WARM_UPS = 20;
const MIB = 1024 * 1024;

type Ask = (path: string) => Promise<Response>;

/** A real Prometheus behind an agent: queried directly, through the kas with the agent's tunnel, and through another one, in turns. */
export async function benchServices(): Promise<void> {
  const scene = await ServiceScene.start();
  const { near, far, prometheus } = scene;
  const ways: readonly (readonly [string, Ask])[] = [
    ["directly", (path) => fetch(`http://127.0.0.1:${prometheus.port}/${path}`)],
    ["through one kas", (path) => scene.ask(near, `prometheus/${path}`)],
    ["through two kas", (path) => scene.ask(far, `prometheus/${path}`)],
  ];
  try {
    await measured(ways, WARM_UPS, "api/v1/query?query=up");
    const small = await measured(ways, QUERIES, "api/v1/query?query=up");
    const start = Math.floor(Date.now() / 1_000);
    const range = new URLSearchParams({ query: "last_over_time(big[6h])", start: String(start), end: String(start + 10_800), step: "1" });
    const large = await measured(ways, RANGES, `api/v1/query_range?${range.toString()}`);
    printTable(`A query of Prometheus, ${QUERIES} times each way in turn`, rows(small, "bytes", 1));
    printTable(`A range query, ${RANGES} times each way in turn`, rows(large, "MiB", MIB));
  } finally {
    await scene.stop();
  }
}

interface Measured {
  readonly way: string;
  readonly ms: number[];
  bytes: number;
}

/** Asks every way so many times, in turn, so that what disturbs one disturbs all. */
async function measured(ways: readonly (readonly [string, Ask])[], times: number, path: string): Promise<readonly Measured[]> {
  const results = ways.map(([way]) => ({ way, ms: [] as number[], bytes: 0 }));
  for (let time = 0; time < times; time += 1) {
    for (const [index, [way, ask]] of ways.entries()) {
      const beganMs = performance.now();
      const answer = await ask(path);
      const body = await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${way}: ${answer.status} ${Buffer.from(body).toString().slice(0, 200)}`);
      const result = results[index];
      if (result === undefined) continue;
      result.ms.push(performance.now() - beganMs);
      result.bytes = body.byteLength;
    }
  }
  return results;
}

function rows(all: readonly Measured[], unit: string, factor: number): Record<string, string | number>[] {
  const direct = percentile(all[0]?.ms ?? [], 0.5);
  return all.map(({ way, ms, bytes }) => ({
    way,
    [unit]: bytes / factor,
    "p50 ms": percentile(ms, 0.5),
    "p95 ms": percentile(ms, 0.95),
    "p50 / direct": percentile(ms, 0.5) / direct,
  }));
}
