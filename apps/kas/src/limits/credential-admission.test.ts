import { Fault, sleep, type FaultReason } from "@binnacle/rpc";
import { ManualClock, settle } from "@binnacle/testing";
import { expect, test } from "vitest";

import { CredentialAdmission } from "./credential-admission.ts";

const never = new AbortController().signal;
/** How long the main application takes. */
const ANSWER_MS = 20;

/** The result of a request, after how long, and when to retry; 0: no `Retry-After`. */
interface RequestResult {
  readonly outcome: FaultReason | "ok";
  readonly afterMs: number;
  readonly retryAfterSeconds: number;
}

/** An admission with the defaults of the configuration, in front of a main application that knows good tokens from bad ones. */
function world() {
  const clock = new ManualClock();
  const admission = new CredentialAdmission({
    clock,
    rate: { perSecond: 50, burst: 250 },
    failures: { perAddress: { perMinute: 30, burst: 60 }, inAll: { perMinute: 600, burst: 600 } },
  });
  const queried: string[] = [];
  /** Settles with when and how the answer came, relative to now. */
  const ask = async (token: string, address: string): Promise<RequestResult> => {
    const startMs = clock.now();
    let retryAfterSeconds = 0;
    const outcome = await admission
      .ask({ lane: "users", credential: ["pat", token], address, signal: never }, async () => {
        queried.push(token);
        await sleep(clock, ANSWER_MS);
        if (!token.startsWith("good")) throw new Fault("token_unknown", "unauthenticated");
        return "ok" as const;
      })
      .catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error;
        retryAfterSeconds = error.retryAfterSeconds ?? 0;
        return error.reason;
      });
    return { outcome, afterMs: clock.now() - startMs, retryAfterSeconds };
  };
  return { clock, admission, queried, ask };
}

const addressOf = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

test("XB2, T14: after 3,000 made-up tokens a good one from elsewhere is answered at once", async () => {
  const { clock, queried, ask } = world();
  for (let index = 0; index < 3_000; index += 1) void ask(`bad ${index}`, "192.0.2.1");
  await clock.elapse(1_000);
  const good = ask("good", "192.0.2.2");
  await clock.elapse(5_000);
  expect(await good).toMatchObject({ outcome: "ok" });
  expect((await good).afterMs).toBeLessThanOrEqual(100);
  expect(queried.length).toBeLessThanOrEqual(150);
});

test("XB2: an address that shows bad tokens is rejected before any lookup, with a time to retry", async () => {
  const { clock, admission, queried, ask } = world();
  for (let index = 0; index < 60; index += 1) void ask(`bad ${index}`, "192.0.2.1");
  await clock.elapse(2_000);
  expect(queried).toHaveLength(60);
  for (let index = 0; index < 1_000; index += 1) void ask(`more ${index}`, "192.0.2.1");
  await settle();
  expect(queried.length).toBeLessThanOrEqual(61);
  const caller = { lane: "users", credential: ["pat", "x"], address: "192.0.2.1", signal: never } as const;
  const refused = admission
    .ask(caller, () => Promise.reject(new Fault("token_unknown", "unauthenticated")))
    .catch((error: unknown) => error);
  await clock.elapse(5_000);
  expect(["rate_limited", "token_unknown"]).toContain(((await refused) as Fault).reason);
  // The thousand callers share one attempt in two seconds.
  expect(queried.length).toBeLessThanOrEqual(60 + 4);
});

test("A6: after 3,000 made-up tokens a new good credential of the same address waits for the next attempt and is heard", async () => {
  const { clock, ask } = world();
  for (let index = 0; index < 3_000; index += 1) void ask(`bad ${index}`, "192.0.2.1");
  await clock.elapse(1_000);
  const good = ask("good", "192.0.2.1");
  await settle();
  const other = ask("good too", "192.0.2.1");
  await clock.elapse(5_000);
  for (const { outcome, afterMs } of [await good, await other]) {
    expect(outcome).toBe("ok");
    expect(afterMs).toBeGreaterThan(ANSWER_MS);
    expect(afterMs).toBeLessThanOrEqual(5_000);
  }
});

test("A6: no caller waits longer than a new credential may, and a caller that cancels or times out leaves no state", async () => {
  const { clock, admission, ask } = world();
  for (let index = 0; index < 3_000; index += 1) void ask(`bad ${index}`, "192.0.2.1");
  await clock.elapse(10_000);
  const before = clock.pending;
  const left = new AbortController();
  const outcomes: (FaultReason | "ok")[] = [];
  for (let index = 0; index < 100; index += 1) void ask(`more ${index}`, "192.0.2.1").then(({ outcome }) => outcomes.push(outcome));
  const leaving = admission.ask({ lane: "users", credential: ["pat", "l"], address: "192.0.2.1", signal: left.signal }, () =>
    Promise.resolve(),
  );
  left.abort();
  await expect(leaving).rejects.toThrow("the caller left");
  await clock.elapse(5_000 + ANSWER_MS);
  expect(outcomes).toHaveLength(100);
  // One in two seconds, and what the address had saved up.
  expect(outcomes.filter((outcome) => outcome === "token_unknown").length).toBeLessThanOrEqual(8);
  expect(clock.pending).toBe(before);
});

test("XB2: a known caller is never rejected for its address", async () => {
  const { clock, ask } = world();
  const first = ask("good", "192.0.2.1");
  await clock.elapse(ANSWER_MS);
  expect(await first).toMatchObject({ outcome: "ok" });
  for (let index = 0; index < 10_000; index += 1) void ask(`bad ${index}`, "192.0.2.1");
  const again = ask("good", "192.0.2.1");
  await clock.elapse(1_000);
  expect(await again).toMatchObject({ outcome: "ok" });
  expect((await again).afterMs).toBeLessThan(1_000);
});

test("XB2: while 10,000 made-up tokens come from 500 addresses, a known user waits less than a second and a new one at most five", async () => {
  const { clock, ask } = world();
  const known = ask("good known", "198.51.100.1");
  await clock.elapse(ANSWER_MS);
  await known;
  const waits: number[] = [];
  const fresh: Promise<{ readonly outcome: string; readonly afterMs: number }>[] = [];
  for (let second = 0; second < 20; second += 1) {
    for (let index = 0; index < 500; index += 1) void ask(`bad ${second} ${index}`, addressOf(index));
    const again = ask("good known", "198.51.100.1");
    fresh.push(ask(`good ${second}`, `203.0.113.${second}`));
    await clock.elapse(1_000);
    const { outcome, afterMs } = await again;
    expect(outcome).toBe("ok");
    waits.push(afterMs);
  }
  await clock.elapse(6_000);
  expect(Math.max(...waits)).toBeLessThan(1_000);
  const answers = await Promise.all(fresh);
  expect(Math.max(...answers.map(({ afterMs }) => afterMs))).toBeLessThanOrEqual(5_000 + ANSWER_MS);
  // Once the bad addresses are known as such, a new address does not wait at all.
  expect(answers.slice(15).map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
});

/** Sends a request and retries as `Retry-After` states. @returns the number of requests, and after how long there was a result */
async function obedient(
  { clock, ask }: Pick<ReturnType<typeof world>, "clock" | "ask">,
  of: { readonly token: string; readonly address: string },
): Promise<{ readonly times: number; readonly afterMs: number; readonly outcome: string }> {
  const startMs = clock.now();
  for (let times = 1; ; times += 1) {
    const { outcome, retryAfterSeconds } = await ask(of.token, of.address);
    if (retryAfterSeconds === 0) return { times, afterMs: clock.now() - startMs, outcome };
    await sleep(clock, retryAfterSeconds * 1_000);
  }
}

test("XB2, T14: a new good credential from the storm's own address receives a retry time at once, and is accepted when it retries", async () => {
  const { clock, ask, queried } = world();
  const heard: Promise<{ readonly times: number; readonly afterMs: number; readonly outcome: string }>[] = [];
  for (let second = 0; second < 120; second += 1) {
    for (let index = 0; index < 200; index += 1) void ask(`bad ${second} ${index}`, "192.0.2.1");
    if (second % 4 === 3 && second < 90) heard.push(obedient({ clock, ask }, { token: `good ${second}`, address: "192.0.2.1" }));
    await clock.elapse(1_000);
  }
  const all = await Promise.all(heard);
  expect(all.filter(({ outcome }) => outcome !== "ok")).toEqual([]);
  // At most one request more than retry times were sent: the first request may have come before any failure.
  expect(Math.max(...all.map(({ times }) => times))).toBeLessThanOrEqual(3);
  expect(Math.max(...all.map(({ afterMs }) => afterMs))).toBeLessThanOrEqual(20_000);
  expect(queried.filter((token) => token.startsWith("bad")).length).toBeLessThanOrEqual(60 + 250 + 60);
});

test("XB2: made-up tokens that retry at their retry time get no more than one more such rate", async () => {
  const { clock, queried, ask } = world();
  for (let index = 0; index < 400; index += 1) void obedient({ clock, ask }, { token: `bad ${index}`, address: "192.0.2.1" });
  await clock.elapse(60_000);
  // What goes before the first answer; then 30 a minute, twice.
  expect(queried.length).toBeLessThanOrEqual(90 + 2 * (60 + 30));
});

test("XB2: a retry before the retry time gets no preference", async () => {
  const { clock, queried, ask } = world();
  for (let index = 0; index < 500; index += 1) void ask(`bad ${index}`, "192.0.2.1");
  await clock.elapse(6_000);
  const before = queried.length;
  for (let time = 0; time < 1_000; time += 1) void ask("again and again", "192.0.2.1");
  await settle();
  expect(queried.length - before).toBeLessThanOrEqual(3);
});

test("XB2: all addresses of one IPv6 site are one address", async () => {
  const { clock, queried, ask } = world();
  for (let index = 0; index < 1_000; index += 1) {
    void ask(`bad ${index}`, `2001:db8:1:2::${index.toString(16)}`);
    if (index % 50 === 0) await clock.elapse(1_000);
  }
  await clock.elapse(10_000);
  expect(queried.length).toBeLessThanOrEqual(120);
});

test("a credential that was withdrawn is known no longer", async () => {
  const clock = new ManualClock();
  const admission = new CredentialAdmission({
    clock,
    rate: { perSecond: 50, burst: 250 },
    failures: { perAddress: { perMinute: 1, burst: 1 }, inAll: { perMinute: 600, burst: 600 } },
  });
  const ask = (question: () => Promise<string>) =>
    admission.ask({ lane: "agents", credential: ["agent", "a"], address: "192.0.2.1", signal: never }, question);
  const refuse = () => Promise.reject(new Fault("token_unknown", "unauthenticated"));
  await ask(() => Promise.resolve("ok"));
  await expect(ask(refuse)).rejects.toMatchObject({ reason: "token_unknown" });
  await expect(ask(refuse)).rejects.toMatchObject({ reason: "token_unknown" });
  await expect(ask(refuse)).rejects.toMatchObject({ reason: "rate_limited" });
});

test("a credential is known for a day after it was accepted", async () => {
  const clock = new ManualClock();
  const admission = new CredentialAdmission({
    clock,
    rate: { perSecond: 50, burst: 250 },
    failures: { perAddress: { perMinute: 1, burst: 1 }, inAll: { perMinute: 600, burst: 600 } },
  });
  const ask = (token: string, question: () => Promise<string>) =>
    admission.ask({ lane: "users", credential: ["pat", token], address: "192.0.2.1", signal: never }, question);
  const ok = () => Promise.resolve("ok");
  await ask("a", ok);
  clock.advance(24 * 3_600_000 - 1);
  await ask("bad", () => Promise.reject(new Fault("not_found", "no"))).catch(() => undefined);
  await expect(ask("b", ok)).rejects.toMatchObject({ reason: "rate_limited" });
  expect(await ask("a", ok)).toBe("ok");
});

test("KB4: reports of thousands of agents do not delay a user, and reports take turns with other requests", async () => {
  const { clock, admission, ask } = world();
  const known = ask("good", "192.0.2.1");
  await clock.elapse(ANSWER_MS);
  await known;
  let reported = 0;
  for (let agent = 0; agent < 3_000; agent += 1)
    void admission.report(String(agent), async () => void (reported += 1)).catch(() => undefined);
  await settle();
  const again = ask("good", "192.0.2.1");
  await clock.elapse(200);
  expect(await again).toMatchObject({ outcome: "ok" });
  await clock.elapse(20_000);
  expect(reported).toBeGreaterThanOrEqual(250 + 15 * 50 - 5);
});

test("a valid user who may not use the agent does not make the address suspect", async () => {
  const { clock, admission, ask } = world();
  const outsider = (index: number) =>
    admission
      .ask({ lane: "users", credential: ["pat", `outsider ${index}`], address: "192.0.2.1", signal: never }, () =>
        Promise.reject(new Fault("agent_forbidden", "forbidden")),
      )
      .catch((error: unknown) => error);
  for (let index = 0; index < 500; index += 1) {
    expect(await outsider(index)).toMatchObject({ reason: "agent_forbidden" });
    clock.advance(20);
  }
  const fresh = ask("good", "192.0.2.1");
  await clock.elapse(ANSWER_MS);
  expect(await fresh).toMatchObject({ outcome: "ok" });
});
