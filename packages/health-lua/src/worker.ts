import { parentPort } from "node:worker_threads";

import { LuaVm } from "./lua-vm.ts";
import type { LuaJob, WorkerMessage } from "./worker-message.ts";

const vm = new LuaVm();

function send(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}

parentPort?.on("message", (job: LuaJob) => {
  send({ type: "answer", answer: vm.evaluate(job.script, job.json) });
  // A failure here ends the worker; the parent starts another one for its next job.
  void vm.renewIfWorn().then(() => send({ type: "ready" }));
});

await vm.renewIfWorn();
send({ type: "ready" });
