import { ProblemKind } from "@binnacle/proto/dashboard";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, settle } from "@binnacle/testing";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { DashboardTab } from "../../testing/dashboard-tab.ts";
import { SESSION_SECONDS } from "../../session/session-seal.ts";
import { keyLine, WebProcesses } from "../../testing/web-processes.ts";

let world: WebProcesses;
let keys: string;
beforeEach(async () => {
  world = await WebProcesses.open();
  keys = keyLine();
  world.writeKeys(keys);
});
afterEach(() => world.close());

/** How a tab's stream ended: the code, or "ended" without a reason. */
function endOf(tab: DashboardTab): Promise<string> {
  return tab.ended.then(
    () => "ended",
    (error: unknown) => Code[ConnectError.from(error).code],
  );
}

test("a restart keeps everybody signed in", async () => {
  const before = await world.start(keys);
  const cookie = await world.signIn(before.address);
  await before.kill();
  const after = await world.start(keys);
  expect(await world.wayAt(after.address, cookie)).toBe("token");
  const tab = world.tab(after.address, cookie);
  await tab.until((now) => now.isComplete());
  expect(tab.named("first")).toBeDefined();
});

test("without the same keys a cookie is no session and counted, and the answer gives no reason", async () => {
  const [one, other] = [await world.start(keys), await world.start(keyLine())];
  const cookie = await world.signIn(one.address);
  const answer = await fetch(`http://${other.address}/api/session`, { headers: { cookie } });
  expect(await answer.json()).toEqual({ mainApplication: "Example", way: null });
  expect([one.unusable(), other.unusable()]).toEqual([0, 1]);
});

test("a request with the old cookie that is answered after a new sign-in leaves the new cookie alone", async () => {
  const { address } = await world.start(keys);
  const before = await world.signIn(address);
  await world.signOut(address, before);
  const paths = ["/api/session", "/sign-in", "/p/group/app/environments", "/api/rpc/dashboard.v1.Dashboard/ListProjects"];
  const answers = await Promise.all(
    paths.map((path) => fetch(`http://${address}${path}`, { headers: { cookie: before }, redirect: "manual" })),
  );
  expect(answers.map(({ headers }) => headers.getSetCookie())).toEqual(paths.map(() => []));
});

test("a token of 6 KiB comes through a whole request; a longer one than fits is refused in words", async () => {
  const { address } = await world.start(keys);
  const long = "t".repeat(6 * 1_024);
  world.main.tokens.set(long, "ann");
  const cookie = await world.signIn(address, long);
  expect(cookie.split("; ")).toHaveLength(3);
  const { viewer } = await world.client(address, cookie).listProjects({});
  expect(viewer?.username).toBe("ann");
  const refused = await fetch(`http://${address}/api/session/token`, {
    method: "POST",
    body: JSON.stringify({ token: "t".repeat(7_169) }),
  });
  expect([refused.status, await refused.json()]).toEqual([400, { message: "A token may have at most 7168 characters." }]);
});

test("T7: the token is in no cookie and in no line of the log, whatever is done with the session", async () => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const log = createLogger("web", "debug");
  const write = (...line: unknown[]): void => void lines.push(JSON.stringify(line));
  for (const level of ["debug", "info", "warn", "error"] as const) vi.spyOn(log, level).mockImplementation(write);
  const canary = "glpat-canary-of-the-log";
  world.main.tokens.set(canary, "ann");
  const { address } = await world.start(keys, { log });
  const cookie = await world.signIn(address, canary);
  const tab = world.tab(address, cookie);
  await tab.until((now) => now.isComplete());
  const end = endOf(tab);
  await world.signOut(address, cookie);
  await end;
  await world.wayAt(address, cookie.replace(/.$/, ""));
  expect([cookie, ...lines].join("\n")).not.toContain("canary");
  expect(lines.length).toBeGreaterThan(0);
});

describe("two behind a balancer that knows nothing of sessions", () => {
  test("a user who signed in at one is signed in at the other, under the same name", async () => {
    const [one, other] = [await world.start(keys), await world.start(keys)];
    world.backends = [one.address, other.address];
    const cookie = await world.signIn(world.balancer);
    for (const { address } of [one, other]) expect(await world.wayAt(address, cookie)).toBe("token");
    const [first, second] = [await one.bff.sessionName(cookie), await other.bff.sessionName(cookie)];
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(second).toEqual(first);
    const main = "_gitlab_session=0123456789abcdef0123456789abcdef";
    expect(await other.bff.sessionName(main)).toEqual(await one.bff.sessionName(main));
  });

  test("one is killed while streams are open: no user is signed out, and each goes on at the other with one full snapshot", async () => {
    const one = await world.start(keys);
    world.backends = [one.address];
    const cookie = await world.signIn(world.balancer);
    const tabs = [world.tab(world.balancer, cookie), world.tab(world.balancer, cookie)];
    await Promise.all(tabs.map((tab) => tab.until((now) => now.isComplete())));
    const other = await world.start(keys);
    world.backends = [one.address, other.address];
    const broken = tabs.map(endOf);
    await one.kill();
    expect(await Promise.all(broken)).not.toContain("Unauthenticated");
    world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "second" } });
    const back = tabs.map((tab) => world.tab(world.balancer, cookie, tab.position));
    await Promise.all(back.map((tab) => tab.until((now) => now.isComplete() && now.nodes.size === 2)));
    for (const [index, tab] of back.entries()) {
      const content = tab.messages.find(({ message }) => message.case === "snapshot" || message.case === "delta");
      expect(content?.message.case).toBe("snapshot");
      expect(tab.position?.view).not.toBe(tabs[index]?.position?.view);
      expect([tab.named("first"), tab.named("second")]).not.toContain(undefined);
      expect(tab.problem).toBeUndefined();
    }
  });

  test("XM5: after a sign-out at one its cookie is no session there, and what it heard it remembers until the cookie expires", async () => {
    const clock = new ManualClock();
    const one = await world.start(keys, { clock });
    const cookie = await world.signIn(one.address);
    await world.signOut(one.address, cookie);
    clock.advance(11 * 3_600_000);
    expect(await world.wayAt(one.address, cookie)).toBeNull();
  });
});

describe("XM5, T23: sign-outs between processes", () => {
  test("XM5: one at the first ends streams there at once, and at its peer, which rejects that cookie from then on", async () => {
    const other = await world.start(keys);
    const one = await world.start(keys, { peers: [`http://${other.address}`] });
    const [cookie, stays] = [await world.signIn(one.address), await world.signIn(other.address)];
    const tabs = [world.tab(one.address, cookie), world.tab(other.address, cookie), world.tab(other.address, stays)];
    await Promise.all(tabs.map((tab) => tab.until((now) => now.isComplete())));
    const [here, there, another] = tabs.map(endOf);
    await world.signOut(one.address, cookie);
    expect([await here, await there]).toEqual(["Unauthenticated", "Unauthenticated"]);
    expect(await world.wayAt(other.address, cookie)).toBeNull();
    expect(await world.wayAt(other.address, stays)).toBe("token");
    expect(await Promise.race([another, Promise.resolve("goes on")])).toBe("goes on");
  });

  test("XM5: an unavailable peer is notified later, and the sign-out does not wait for it", async () => {
    const clock = new ManualClock();
    const one = await world.start(keys, { clock, peers: [`http://${world.balancer}`] });
    const cookie = await world.signIn(one.address);
    await world.signOut(one.address, cookie);
    const other = await world.start(keys, { clock });
    expect(await world.wayAt(other.address, cookie)).toBe("token");
    world.backends = [other.address];
    while ((await world.wayAt(other.address, cookie)) !== null) clock.advance(100);
  });

  test("T32: a notice that no web process has sealed ends no session, and its sender learns nothing", async () => {
    const [one, other] = [await world.start(keys), await world.start(keyLine())];
    const cookie = await world.signIn(one.address);
    const foreign = await world.signIn(other.address);
    for (const body of ["", "x", cookie.replace(/^\w+=1\./, ""), foreign.replace(/^\w+=1\./, "")]) {
      const answer = await fetch(`http://${one.address}/api/session/ended`, { method: "POST", body });
      expect([answer.status, await answer.text()]).toEqual([204, ""]);
    }
    expect(await world.wayAt(one.address, cookie)).toBe("token");
  });
});

describe("keys that are replaced while streams are open", () => {
  let clock: ManualClock;
  let changes: number;
  let address: string;
  beforeEach(async () => {
    clock = new ManualClock();
    changes = 0;
    const log = createLogger("web", "silent");
    vi.spyOn(log, "info").mockImplementation((_fields: unknown, message?: string) => {
      if (message?.startsWith("a file of the configuration has changed") === true) changes += 1;
    });
    ({ address } = await world.start(keys, { clock, log }));
  });

  /** Replaces the file, and waits until that was seen. */
  async function replaceKeys(text: string): Promise<void> {
    const before = changes;
    world.writeKeys(text);
    await clock.advanceUntil(() => changes > before, 100);
  }

  async function open(cookie: string): Promise<DashboardTab> {
    const tab = world.tab(address, cookie);
    await clock.advanceUntil(() => tab.isComplete());
    return tab;
  }

  /** How the tab's stream ends while time passes. */
  async function endInTime(tab: DashboardTab): Promise<string> {
    let end: string | undefined;
    void endOf(tab).then((how) => (end = how)); // never rejects
    await clock.advanceUntil(() => end !== undefined, 100);
    return end ?? "";
  }

  test("in the order of docs/reference/web-config.md no user is signed out before the old key is removed", async () => {
    const cookie = await world.signIn(address);
    const tab = await open(cookie);
    const fresh = keyLine();
    await replaceKeys(keys + fresh);
    await replaceKeys(fresh + keys);
    const newer = await world.signIn(address);
    expect([await world.wayAt(address, cookie), await world.wayAt(address, newer)]).toEqual(["token", "token"]);
    world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "second" } });
    await clock.advanceUntil(() => tab.nodes.size === 2);
    await replaceKeys(fresh);
    expect(await endInTime(tab)).toBe("Unauthenticated");
    expect([await world.wayAt(address, cookie), await world.wayAt(address, newer)]).toEqual([null, "token"]);
  });

  test("T23: two new keys at once end everybody, live streams among them", async () => {
    const cookie = await world.signIn(address);
    const tab = await open(cookie);
    await replaceKeys(keyLine() + keyLine());
    expect(await endInTime(tab)).toBe("Unauthenticated");
    const back = world.tab(address, cookie);
    await back.ended;
    expect(back.problem?.kind).toBe(ProblemKind.UNAUTHENTICATED);
  });

  test("T23: a stream ends with its session, twelve hours after the sign-in", async () => {
    const tab = await open(await world.signIn(address));
    const beganMs = clock.now();
    clock.advance(SESSION_SECONDS * 1_000 - 120_000);
    await settle();
    const end = endInTime(tab);
    expect(await end).toBe("Unauthenticated");
    expect(clock.now() - beganMs).toBeGreaterThan(SESSION_SECONDS * 1_000 - 60_000);
  });
});
