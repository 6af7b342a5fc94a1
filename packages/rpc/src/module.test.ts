import { expect, test } from "vitest";

import { runModules, type Module } from "./module.ts";

/** Runs until it is told to stop, and notes it. */
function patient(name: string, ended: string[]): Module {
  return {
    name,
    run: (signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          ended.push(name);
          resolve();
        };
        if (signal.aborted) end();
        else signal.addEventListener("abort", end, { once: true });
      }),
  };
}

test("all modules end when the signal aborts", async () => {
  const ended: string[] = [];
  const stop = new AbortController();
  const running = runModules([patient("a", ended), patient("b", ended)], stop.signal);
  stop.abort();
  await running;
  expect(ended).toEqual(["a", "b"]);
});

test("the first failure stops the others and is what is thrown, after they have ended", async () => {
  const ended: string[] = [];
  const failing: Module = { name: "f", run: () => Promise.reject(new Error("port taken")) };
  await expect(runModules([patient("a", ended), failing], new AbortController().signal)).rejects.toThrow("port taken");
  expect(ended).toEqual(["a"]);
});

test("a module that ends by itself is a failure", async () => {
  const early: Module = { name: "early", run: () => Promise.resolve() };
  await expect(runModules([early, patient("a", [])], new AbortController().signal)).rejects.toThrow(
    "module early ended before it was told to",
  );
});

test("a signal that is aborted already lets every module end", async () => {
  const ended: string[] = [];
  await runModules([patient("a", ended)], AbortSignal.abort());
  expect(ended).toEqual(["a"]);
});
