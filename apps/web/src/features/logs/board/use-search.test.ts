import { RequestAnswerer } from "@binnacle/pod-logs/expression-thread";
import { Expressions } from "@binnacle/pod-logs/expressions";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";
import { threadOf } from "./use-search.ts";

/** A worker of a browser that answers in this thread. */
class WorkerStandIn extends EventTarget {
  isEnded = false;
  readonly #answerer = new RequestAnswerer();

  postMessage(request: Parameters<RequestAnswerer["answer"]>[0]): void {
    this.emit(this.#answerer.answer(request).answer);
  }

  emit(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  terminate(): void {
    this.isEnded = true;
  }
}

test("a worker of a browser answers searches, and one that fails is replaced", async () => {
  const workers: WorkerStandIn[] = [];
  const expressions = new Expressions({
    clock: new ManualClock(),
    startThread: (events) => {
      const worker = new WorkerStandIn();
      workers.push(worker);
      return threadOf(worker, events);
    },
  });
  const { signal } = new AbortController();
  const search = expressions.open({ pattern: "a", matchesCase: true });
  const first = search.test(["a", "b"], signal);
  workers[0]?.emit("ready");
  expect([...(await first)]).toEqual([1, 0]);
  workers[0]?.dispatchEvent(new Event("error"));
  expect([workers[0]?.isEnded, expressions.isRunning]).toEqual([true, false]);
  const second = search.test(["b", "a"], signal);
  workers[1]?.emit("ready");
  expect([...(await second)]).toEqual([0, 1]);
  expressions.close();
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});
