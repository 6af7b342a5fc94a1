import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, type ClientHttp2Session } from "node:http2";
import { fileURLToPath } from "node:url";

import { SERVER_NODE_ENV, SERVER_NODE_FLAGS } from "@binnacle/rpc";

import { loadSmall } from "../load-client.ts";
import { cpuMsOf, memoryMibOf } from "../process-cpu.ts";

const STREAMS = 100;
const SECONDS = 4;
const WARM_UP_SECONDS = 0.5;
/** As much load as kas and agentk have had before their median round: V8 optimizes both for as long. */
const LOAD_BEFORE_SECONDS = 10;

interface BareKas {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Ports on loopback. */
  readonly tunnels: number;
  readonly clients: number;
}

function start(program: string, args: readonly string[] = []): ChildProcess {
  return fork(fileURLToPath(new URL(program, import.meta.url)), args, {
    execArgv: [...SERVER_NODE_FLAGS],
    env: { ...process.env, ...SERVER_NODE_ENV },
  });
}

async function startBareKas(): Promise<BareKas> {
  const child = start("bare-kas.ts");
  // bare-kas.ts sends this itself.
  const [{ tunnels, clients }] = (await once(child, "message")) as [{ tunnels: number; clients: number }];
  return { process: child, pid: child.pid ?? 0, tunnels, clients };
}

/** The same way on Node's HTTP alone. */
export interface BareWay {
  /** Milliseconds of CPU per 4 KiB GET of the part that stands for kas, and of the one for agentk. */
  readonly kasMs: number;
  readonly agentkMs: number;
  readonly latenciesMs: readonly number[];
}

/** Measures it with so many clients at once. @param small URL of the small answer of an API server */
export async function measureBareWay(concurrency: number, small: string): Promise<BareWay> {
  const kas = await startBareKas();
  const agentk = start("bare-agentk.ts", [String(kas.tunnels), String(STREAMS), small]);
  try {
    const target = { origin: `http://127.0.0.1:${kas.clients}`, path: "/", headers: {} };
    await loadSmall(target, { concurrency, seconds: LOAD_BEFORE_SECONDS, bytes: 4096 });
    const agentkPid = agentk.pid ?? 0;
    const before = [cpuMsOf(kas.pid), cpuMsOf(agentkPid)] as const;
    const { requests, latenciesMs } = await loadSmall(target, { concurrency, seconds: SECONDS, bytes: 4096 });
    // The warm-up half second is in the CPU figure too: scale it out.
    const all = requests * ((SECONDS + WARM_UP_SECONDS) / SECONDS);
    return { kasMs: (cpuMsOf(kas.pid) - before[0]) / all, agentkMs: (cpuMsOf(agentkPid) - before[1]) / all, latenciesMs };
  } finally {
    agentk.kill();
    kas.process.kill();
  }
}

/** What idle agents cost Node's HTTP alone: KiB of resident memory per agent with that many open streams. */
export async function bareIdleKib(agents: number, streams: number): Promise<number> {
  const kas = await startBareKas();
  const sessions: ClientHttp2Session[] = [];
  const connectAgent = async (): Promise<void> => {
    const session = connect(`http://127.0.0.1:${kas.tunnels}`);
    sessions.push(session);
    for (let count = 0; count < streams; count += 1) {
      const stream = session.request({ ":method": "POST", ":path": "/", authorization: `Bearer token-${sessions.length}` });
      stream.on("error", () => undefined);
      stream.write(Buffer.alloc(200));
      await once(stream, "response");
    }
  };
  try {
    await connectAgent();
    const beforeMib = memoryMibOf(kas.pid);
    while (sessions.length <= agents) await connectAgent();
    return ((memoryMibOf(kas.pid) - beforeMib) * 1024) / agents;
  } finally {
    for (const session of sessions) session.destroy();
    kas.process.kill();
  }
}
