import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LAST_TERM, parseElectionMessage, type ElectionMessage } from "./election-message.ts";
import { LeaderElection } from "./leader-election.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A page that can sleep: what it hears and its timers wait until it wakes, timers first, as in a browser. */
class SleepyPage {
  readonly id: string;
  readonly election: LeaderElection;
  isVisible = true;
  isAsleep = false;
  /** It neither speaks nor wakes any more. */
  isDead = false;
  #missed: ElectionMessage[] = [];
  #due: (() => void)[] = [];

  constructor(number: number, browser: Browser) {
    this.id = number.toString(16).padStart(16, "0");
    this.election = new LeaderElection({
      id: this.id,
      after: (delayMs, action) => {
        let isCancelled = false;
        const run = (): void => {
          if (!isCancelled) action();
        };
        setTimeout(() => (this.isAsleep ? this.#due.push(run) : run()), delayMs);
        return () => (isCancelled = true);
      },
      random: () => browser.random,
      isVisible: () => this.isVisible,
      send: (message) => {
        if (!this.isDead) browser.send(this, message);
      },
      changed: () => undefined,
    });
  }

  hear(message: ElectionMessage): void {
    if (this.isDead) return;
    if (this.isAsleep) this.#missed.push(message);
    else this.election.hear(message);
  }

  die(): void {
    this.isAsleep = this.isDead = true;
  }

  wake(): void {
    this.isAsleep = false;
    for (const run of this.#due.splice(0)) run();
    for (const message of this.#missed.splice(0)) this.election.hear(message);
  }

  show(isVisible: boolean): void {
    this.isVisible = isVisible;
    this.election.shown();
  }
}

class Browser {
  readonly pages: SleepyPage[] = [];
  random = 0.5;
  /** Pages that hear each other only; absent: all do. */
  isSplit: ((one: SleepyPage, other: SleepyPage) => boolean) | undefined;

  open(count: number): SleepyPage[] {
    const opened = Array.from({ length: count }, (_, index) => new SleepyPage(this.pages.length + index + 1, this));
    this.pages.push(...opened);
    for (const { election } of opened) election.start();
    return opened;
  }

  send(from: SleepyPage, message: ElectionMessage): void {
    for (const page of this.pages) {
      if (page !== from && this.isSplit?.(page, from) !== true) setTimeout(() => page.hear(structuredClone(message)), 1);
    }
  }

  /** Ids of those that lead, and whom the others follow. */
  state(): { readonly leaders: readonly string[]; readonly followed: readonly string[] } {
    const roles = this.pages.filter(({ isDead }) => !isDead).map(({ id, election }) => ({ id, role: election.role }));
    const leaders = roles.filter(({ role }) => role.kind === "leading").map(({ id }) => id);
    return { leaders, followed: [...new Set(roles.map(({ id, role }) => (role.kind === "following" ? role.leader : id)))] };
  }

  /** The only one that leads, and everybody follows it. */
  leader(): SleepyPage {
    const { leaders, followed } = this.state();
    const found = this.pages.find(({ id }) => id === leaders[0]);
    if (found === undefined || leaders.length > 1 || followed.some((id) => id !== found.id)) {
      throw new Error(`${JSON.stringify(leaders)} lead, ${JSON.stringify(followed)} are followed`);
    }
    return found;
  }
}

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

test("W3: a page that is alone leads after a moment", async () => {
  const browser = new Browser();
  browser.open(1);
  await pass(0.3);
  expect(browser.state().leaders).toHaveLength(1);
});

test.each([2, 20])("W3: %i pages that are restored together agree on one", async (count) => {
  const browser = new Browser();
  browser.open(count);
  await pass(1);
  expect(browser.leader().election.role.kind).toBe("leading");
});

test("W3: a page that comes later follows the one that leads, and asks the server nothing", async () => {
  const browser = new Browser();
  const [first] = browser.open(1);
  await pass(1);
  browser.open(5);
  await pass(1);
  expect(browser.leader()).toBe(first);
});

test("W3: when the leader says that it goes, another leads within half a second", async () => {
  const browser = new Browser();
  browser.open(3);
  await pass(1);
  const first = browser.leader();
  first.election.stop();
  first.die();
  await pass(0.5);
  expect(browser.leader()).not.toBe(first);
});

test("W3: when the leader dies without a word, another leads within ten seconds", async () => {
  const browser = new Browser();
  browser.open(20);
  await pass(1);
  const first = browser.leader();
  first.die();
  await pass(10);
  expect(browser.leader()).not.toBe(first);
});

test("W3: a leader that was frozen for an hour follows when it thaws, and the one of now leads on", async () => {
  const browser = new Browser();
  browser.open(3);
  await pass(1);
  const first = browser.leader();
  first.isAsleep = true;
  await pass(3_600);
  const second = browser.pages.find(({ election, isAsleep }) => !isAsleep && election.role.kind === "leading");
  expect(second).toBeDefined();
  first.wake();
  await pass(1);
  expect(browser.leader()).toBe(second);
});

test("W3: a follower that was frozen for an hour takes nothing over", async () => {
  const browser = new Browser();
  browser.open(3);
  await pass(1);
  const leader = browser.leader();
  const follower = browser.pages.find((page) => page !== leader);
  if (follower) follower.isAsleep = true;
  await pass(3_600);
  follower?.wake();
  expect(follower?.election.role).toEqual({ kind: "following", leader: leader.id });
  await pass(5);
  expect(browser.leader()).toBe(leader);
});

test("W3: two leaders that did not hear each other agree as soon as they do", async () => {
  const browser = new Browser();
  browser.open(6);
  browser.isSplit = (one, other) => (Number.parseInt(one.id, 16) + Number.parseInt(other.id, 16)) % 2 === 1;
  await pass(20);
  expect(browser.state().leaders).toHaveLength(2);
  browser.isSplit = undefined;
  await pass(3);
  browser.leader();
});

test("W3: a leader that is hidden hands over to a page that is shown, and not back when that one is hidden too", async () => {
  const browser = new Browser();
  const [first, second] = browser.open(2);
  await pass(1);
  const leader = browser.leader();
  const other = leader === first ? second : first;
  other?.show(false);
  leader.show(false);
  await pass(5);
  expect(browser.leader(), "both are hidden").toBe(leader);
  other?.show(true);
  await pass(5);
  expect(browser.leader()).toBe(other);
  other?.show(false);
  await pass(60);
  expect(browser.leader()).toBe(other);
});

test("W3: a page that is shown beside a leader that gets hidden takes over without any event of its own", async () => {
  const browser = new Browser();
  browser.open(2);
  await pass(1);
  const leader = browser.leader();
  leader.show(false);
  await pass(5);
  expect(browser.leader()).not.toBe(leader);
});

test("W3: a hand-over to a page that is gone by then changes nothing", async () => {
  const browser = new Browser();
  browser.open(2);
  await pass(1);
  const leader = browser.leader();
  const other = browser.pages.find((page) => page !== leader);
  leader.isVisible = false;
  leader.election.hear({ from: other?.id ?? "", what: "who", visible: true });
  other?.die();
  await pass(60);
  expect(browser.leader()).toBe(leader);
});

test("W3: pages abandon a leader of the last possible term that serves no page, and agree on another one", async () => {
  const browser = new Browser();
  const pages = browser.open(3);
  await pass(1);
  const liar = "ffffffffffffffff";
  for (const { election } of pages) election.hear({ from: liar, what: "lead", term: LAST_TERM, visible: true });
  expect(browser.state().followed).toEqual([liar]);
  for (const { election } of pages) election.distrust(liar);
  await pass(2);
  for (const { election } of pages) election.hear({ from: liar, what: "lead", term: LAST_TERM, visible: true });
  await pass(5);
  browser.leader();
});

test.each([1, 2])("W3: two pages that were both too busy to serve each other agree again (%i leads first)", async (first) => {
  const browser = new Browser();
  const pages = browser.open(2);
  await pass(1);
  const leader = browser.leader();
  const other = pages.find((page) => page !== leader);
  const [one, two] = first === 1 ? [leader, other] : [other, leader];
  if (one === undefined || two === undefined) throw new Error("two pages");
  one.election.hear({ from: two.id, what: "lead", term: 9, visible: true });
  one.election.distrust(two.id);
  await pass(1);
  two.election.distrust(one.id);
  await pass(5);
  expect(pages).toContain(browser.leader());
});

test("W3: two pages that lead in one term agree, also when one of them was not served by the other before", async () => {
  const browser = new Browser();
  const [low, high] = browser.open(2);
  if (low === undefined || high === undefined) throw new Error("two pages");
  await pass(1);
  high.election.hear({ from: low.id, what: "lead", term: 4, visible: true });
  low.election.hear({ from: high.id, what: "lead", term: 4, visible: true });
  browser.isSplit = () => true;
  high.election.distrust(low.id);
  low.election.stop();
  low.election.start();
  await pass(1);
  browser.isSplit = undefined;
  await pass(30);
  expect(browser.leader()).toBe(low);
});

const event = fc.record({
  what: fc.constantFrom("open", "go", "die", "sleep", "wake", "show", "hide", "split", "heal", "distrust"),
  which: fc.nat(20),
  thenMs: fc.constantFrom(0, 1, 50, 200, 3_000, 20_000),
});

/** Something that happens to a browser. */
function happen(browser: Browser, { what, which }: { readonly what: string; readonly which: number }): void {
  if (what === "open") browser.open(1 + (which % 3));
  browser.random = (which % 10) / 10;
  if (what === "split") browser.isSplit = (one, other) => (one.id < other.id ? one : other).id.endsWith(String(which % 10));
  if (what === "heal") browser.isSplit = undefined;
  const page = browser.pages[which % Math.max(1, browser.pages.length)];
  if (page === undefined || page.isDead) return;
  if (what === "sleep") page.isAsleep = true;
  if (what === "wake") page.wake();
  if (what === "go") page.election.stop();
  if (what === "go" || what === "die") page.die();
  if ((what === "show" || what === "hide") && !page.isAsleep) page.show(what === "show");
  const { role } = page.election;
  if (what === "distrust" && role.kind === "following") page.election.distrust(role.leader);
}

test("W3: whatever happened to the pages of a browser, half a minute later one leads and all follow it, a shown one if there is one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      const browser = new Browser();
      browser.open(2);
      for (const each of events) {
        happen(browser, each);
        await vi.advanceTimersByTimeAsync(each.thenMs);
      }
      browser.isSplit = undefined;
      browser.random = 0.5;
      for (const page of browser.pages) if (page.isAsleep && !page.isDead) page.wake();
      browser.open(1);
      await pass(30);
      expect(browser.leader().isVisible).toBe(true);
    }),
    { numRuns: 25 },
  );
});

test.each([
  undefined,
  null,
  "lead",
  {},
  { from: "0000000000000001", what: "lead", term: -1, visible: true },
  { from: "0000000000000001", what: "lead", term: Number.NaN, visible: true },
  { from: "0000000000000001", what: "lead", term: 2 ** 60, visible: true },
  { from: "0000000000000001", what: "lead", term: 1 },
  { from: "me", what: "who", visible: true },
  { from: 1, what: "resign" },
  { from: "0000000000000001", what: "hand-over", to: "you", term: 2 },
  { from: "0000000000000001", what: "join", to: "0000000000000002", line: 1.5 },
  { from: "0000000000000001", what: "lead us" },
])("W3: what no page of this build says is not heard: %j", (data) => {
  expect(parseElectionMessage(data)).toBeUndefined();
});
