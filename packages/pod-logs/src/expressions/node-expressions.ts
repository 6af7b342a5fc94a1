import { Worker } from "node:worker_threads";

import type { Clock } from "@binnacle/rpc";

import { Expressions, type SearchThread, type ThreadEvents } from "./expressions.ts";

/** Heap of the thread in MiB: sixteen compiled expressions of the largest size and the lines of two requests take less than half. */
const MAX_HEAP_MIB = 64;

/** The expressions of a process that runs on Node, in a thread that starts with the first of them and ends when none is used. */
export function nodeExpressions(clock: Clock): Expressions {
  return new Expressions({ clock, startThread });
}

function startThread({ answered, died }: ThreadEvents): SearchThread {
  // The URL is written so that bundlers find the file.
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: 8 },
  });
  // Searches belong to connections, which keep the process running as long as they are wanted.
  worker.unref();
  worker.on("message", answered);
  worker.on("error", died);
  worker.on("exit", died);
  return {
    send: (request, moved) => worker.postMessage(request, moved),
    end: () => void worker.terminate(),
  };
}
