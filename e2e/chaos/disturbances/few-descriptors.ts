import { execFileSync } from "node:child_process";
import { connect, type Socket } from "node:net";

import { eventually } from "@binnacle/testing";

import type { ChaosWorld } from "../chaos-world.ts";
import type { Disturbance } from "../disturbance.ts";

const LIMIT = 256;
const CLIENTS = 400;
const LIMIT_MS = 60_000;

const crowds = new WeakMap<ChaosWorld, readonly Socket[]>();

/** A kas may open 256 descriptors, and more clients than that connect and say nothing; then they leave. */
export const fewDescriptors: Disturbance = {
  name: "ulimit -n 256",
  // New connections are closed; a peer or the main application may be out of reach.
  allowed: /^(50[234] |ECONNRESET$|EPIPE$)/,
  async begin(world) {
    const kas = world.kas[0];
    if (kas === undefined) throw new Error("there is no kas");
    // Only the soft limit, as `ulimit -S -n` does; Node has raised its own to the hard one.
    execFileSync("prlimit", ["--pid", String(kas.program.pid), `--nofile=${LIMIT}:`]);
    const [host = "", port = ""] = kas.addresses.k8sProxy.split(":");
    let refused = 0;
    const crowd = Array.from({ length: CLIENTS }, () => {
      const socket = connect({ host, port: Number(port) });
      return socket.on("error", () => socket.destroy()).on("close", () => (refused += 1));
    });
    crowds.set(world, crowd);
    await eventually(
      () => (refused > 0 ? undefined : `${kas.program.descriptors()} descriptors are open, and no connection is refused`),
      LIMIT_MS,
    );
  },
  end(world) {
    for (const socket of crowds.get(world) ?? []) socket.destroy();
    return Promise.resolve();
  },
};
