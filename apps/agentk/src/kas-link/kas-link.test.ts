import { EventEmitter } from "node:events";
import type { ClientHttp2Session } from "node:http2";

import { Fault, sleep } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, reachedStates } from "@binnacle/testing";
import { describe, expect, test } from "vitest";

import { KasLink, type KasLinkOptions, LINK_STATES, type LinkState } from "./kas-link.ts";

/** What the link sees of a session. */
class SessionStandIn extends EventEmitter {
  destroyed = false;
  readonly closed = false;
  readonly socket = { bytesRead: 0 };
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
  ping(): boolean {
    return true;
  }
}

/** A link on a clock that is set by hand, with when each dial began and ended, and without chance. */
function link(dial: (clock: ManualClock, session: SessionStandIn, signal: AbortSignal) => Promise<void>) {
  const clock = new ManualClock(0);
  const dials: { readonly beganMs: number; endedMs: number }[] = [];
  const sessions: SessionStandIn[] = [];
  const options: KasLinkOptions = {
    clock,
    log: createLogger("test", "silent"),
    backoff: { initialMs: 500, maxMs: 20_000, random: () => 1 },
    dial: async (signal) => {
      const made = { beganMs: clock.now(), endedMs: Number.NaN };
      dials.push(made);
      const session = new SessionStandIn();
      try {
        await dial(clock, session, signal);
      } finally {
        made.endedMs = clock.now();
      }
      sessions.push(session);
      // The link uses no more of a session than the stand-in has.
      return session as unknown as ClientHttp2Session;
    },
  };
  const stop = new AbortController();
  const made = new KasLink(options);
  const running = made.run(stop.signal);
  return {
    clock,
    dials,
    sessions,
    link: made,
    /** Delays between the end of a dial (or of what followed) and the next dial. */
    delays: () => dials.slice(1).map(({ beganMs }, place) => beganMs - (dials[place]?.endedMs ?? Number.NaN)),
    async end() {
      stop.abort();
      await clock.elapse(0);
      await running;
    },
  };
}

/** Fails after `lastsMs`, as a dial does to a server that does not answer. */
const failsAfter = (lastsMs: number) => async (clock: ManualClock, _session: SessionStandIn, signal: AbortSignal) => {
  await sleep(clock, lastsMs, signal);
  throw new Fault("peer_unreachable", "no answer in time");
};

describe("reading-3: an agent that cannot reach kas backs off", () => {
  test.each([0, 100, 10_000, 60_000])("when each dial fails after %d ms", async (lastsMs) => {
    const run = link(failsAfter(lastsMs));
    await run.clock.elapse(12 * (lastsMs + 20_000));
    await run.end();
    expect(run.delays().slice(0, 8)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
  });

  test("also when each session ends as soon as it is open, after a long dial", async () => {
    const run = link(async (clock, session, signal) => {
      await sleep(clock, 10_000, signal);
      clock.after(0, () => session.destroy());
    });
    await run.clock.elapse(120_000);
    await run.end();
    expect(run.delays().slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
  });

  test("a session that lived long resets the delay", async () => {
    let count = 0;
    const run = link(async (clock, session, signal) => {
      count += 1;
      if (count < 4) await failsAfter(10_000)(clock, session, signal);
      clock.after(5_000, () => session.destroy());
    });
    await run.clock.elapse(60_000);
    await run.end();
    expect(run.delays().slice(0, 3)).toEqual([500, 1_000, 2_000]);
    expect((run.dials[4]?.beganMs ?? 0) - (run.dials[3]?.endedMs ?? 0)).toBe(5_000 + 500);
  });

  test("the time of the dial does not count for a session that gets a GOAWAY", async () => {
    const run = link(async (clock, session, signal) => {
      await sleep(clock, 10_000, signal);
      clock.after(100, () => session.emit("goaway", 0));
    });
    await run.clock.elapse(45_000);
    await run.end();
    // A session of 100 ms, and the delay: nothing is replaced at once.
    expect(run.delays().slice(0, 3)).toEqual([600, 1_100, 2_100]);
  });
});

test("the states of a link, from the first dial to the end", async () => {
  const states: LinkState[] = [];
  let count = 0;
  const run: ReturnType<typeof link> = link(async (clock, session, signal) => {
    await Promise.resolve();
    states.push(run.link.state);
    count += 1;
    if (count === 1) await failsAfter(0)(clock, session, signal);
    clock.after(2_000, () => (states.push(run.link.state), count === 2 ? session.emit("goaway", 0) : session.destroy()));
  });
  await run.clock.elapse(499);
  states.push(run.link.state);
  await run.clock.elapse(4_001);
  states.push(run.link.state);
  await run.end();
  states.push(run.link.state);
  expect(states).toEqual(["connecting", "waiting", "connecting", "open", "replacing", "open", "waiting", "stopped"]);
});

test("every state but the last can be left, and every state can be reached", () => {
  expect(reachedStates(LINK_STATES, "connecting")).toEqual(Object.keys(LINK_STATES).toSorted());
  for (const [state, events] of Object.entries(LINK_STATES)) expect("stop" in events).toBe(state !== "stopped");
});
