/** The thread of `Expressions` in Node: started by `node-expressions.ts`. */
import { parentPort } from "node:worker_threads";

import { RequestAnswerer } from "./answer-request.ts";
import type { ThreadRequest } from "./thread-message.ts";

const answerer = new RequestAnswerer();

// The parent sends nothing else.
parentPort?.on("message", (request: ThreadRequest) => {
  const { answer, moved } = answerer.answer(request);
  parentPort?.postMessage(answer, moved);
});

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage("ready");
