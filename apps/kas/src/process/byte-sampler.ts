import type { ByteLedger } from "@binnacle/grpc-wire";
import { sleep, type Clock, type Module } from "@binnacle/rpc";

const EVERY_MS = 1_000;

/** Looks once a second at what waits in this process without a word. */
export function byteSampler(ledger: ByteLedger, clock: Clock): Module {
  return {
    name: "byte sampler",
    async run(signal) {
      while (!signal.aborted) {
        await sleep(clock, EVERY_MS, signal);
        ledger.sample();
      }
    },
    close: async () => undefined,
  };
}
