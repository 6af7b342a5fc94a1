import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { KubeClientError, type ViewScope } from "@binnacle/environment-view";
import type { RuleSet } from "@binnacle/health-lua";
import { createStatus } from "@binnacle/kube";
import { HealthStatus } from "@binnacle/proto/dashboard";
import { HealthRulesSchema, ScopeSummarySchema, ViewGap, type ViewSpec } from "@binnacle/proto/kas-views";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { PlacedWord } from "../kas/agent-view-stream.ts";
import { RememberedRefusal } from "../base/remembered-refusal.ts";
import { AgentSummaries, allLive } from "./agent-summaries.ts";

const HEALTHY = { health: { status: HealthStatus.HEALTHY }, workloads: 3, workloadsReady: 3 };

/** One answer of kas. */
class Answer {
  readonly specs: readonly ViewSpec[];
  isLeft = false;
  #words: PlacedWord[] = [];
  #failure: unknown;
  #wake: () => void = () => {};

  constructor(specs: readonly ViewSpec[]) {
    this.specs = specs;
  }

  say(place: number, summary: MessageInitShape<typeof ScopeSummarySchema>): void {
    const value = toBinary(ScopeSummarySchema, create(ScopeSummarySchema, summary));
    this.put({ place, word: { kind: "change", change: { reset: true, entries: [{ key: "summary", value }], removed: [] } } });
  }

  put(word: PlacedWord): void {
    this.#words.push(word);
    this.#wake();
  }

  fail(failure: unknown): void {
    this.#failure = failure;
    this.#wake();
  }

  async *words(signal: AbortSignal): AsyncGenerator<PlacedWord, void, void> {
    signal.addEventListener("abort", () => this.#wake());
    try {
      for (;;) {
        const words = this.#words;
        this.#words = [];
        yield* words;
        if (signal.aborted) return;
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#words.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.isLeft = true;
    }
  }
}

const scopeOf = (...namespaces: string[]): ViewScope => ({ namespaces });
const [SHOP, SITE] = [scopeOf("shop"), scopeOf("site")];

let clock: ManualClock;
let answers: Answer[];
let summaries: AgentSummaries;
let changed: string[];
let rules: { origins: ReadonlyMap<string, RuleSet>; notify: () => void; onChange(listener: () => void): () => void };

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  [answers, changed] = [[], []];
  rules = {
    origins: new Map(),
    notify: () => {},
    onChange(listener) {
      this.notify = listener;
      return () => {};
    },
  };
  const carriers = {
    viewsStream: (specs: readonly ViewSpec[], signal: AbortSignal) => {
      const answer = new Answer(specs);
      answers.push(answer);
      return answer.words(signal);
    },
  };
  summaries = new AgentSummaries({ carriers, customEdges: [], rules, withoutViews: new RememberedRefusal(clock), clock });
  summaries.onChange(({ namespaces }) => changed.push(namespaces.join()));
});
afterEach(async () => {
  summaries.close();
  await clock.elapse(0);
  clock.assertIdle();
});

const last = (): Answer => answers.at(-1) as Answer;
const healthOf = (scope: ViewScope) => summaries.liveSummaryOf(scope)?.health.status;

test("what the agent says of a scope is live, as long as it vouches for it", async () => {
  summaries.want([SHOP, SITE]);
  await clock.elapse(100);
  expect(answers).toHaveLength(1);
  expect(last().specs.map(({ view }) => view)).toMatchObject([
    { case: "summary", value: { scope: { namespaces: ["shop"] } } },
    { case: "summary", value: { scope: { namespaces: ["site"] } } },
  ]);
  last().say(1, HEALTHY);
  await clock.elapse(0);
  expect([healthOf(SHOP), healthOf(SITE), changed]).toEqual([undefined, HealthStatus.HEALTHY, ["site"]]);
  expect(summaries.liveSummaryOf(SITE)).toMatchObject({ workloads: 3, freshness: { kind: "live" }, workloadsOnly: false });
  last().put({ place: 1, word: { kind: "way", isWell: false } });
  await clock.elapse(0);
  expect(healthOf(SITE)).toBeUndefined();
  last().put({ place: 1, word: { kind: "way", isWell: true } });
  await clock.elapse(0);
  expect(healthOf(SITE)).toBe(HealthStatus.HEALTHY);
  last().say(1, { ...HEALTHY, staleSince: { seconds: 1n } });
  await clock.elapse(0);
  expect(healthOf(SITE)).toBeUndefined();
});

test("T40: of the tools that an agent names as many are shown as it should name, and the others are counted", async () => {
  summaries.want([SHOP]);
  await clock.elapse(100);
  const tools = Array.from({ length: 300 }, (_, index) => ({ tool: "argocd", name: `shop-${index}`, objects: 1 }));
  const strange = [
    { tool: "another", name: "shop", objects: 1 },
    { tool: "__proto__", name: "shop", objects: 1 },
    { tool: "argocd", name: "../secrets", objects: 1 },
  ];
  last().say(0, { ...HEALTHY, deployers: { tools: [...strange, ...tools], more: 2 ** 32 - 1 } });
  await clock.elapse(0);
  const deployers = summaries.liveSummaryOf(SHOP)?.deployers;
  expect([deployers?.tools.length, deployers?.tools.every(({ name }) => name.startsWith("shop-")), deployers?.more]).toEqual([
    20,
    true,
    2 ** 32 - 1,
  ]);
  last().say(0, HEALTHY);
  await clock.elapse(0);
  expect(summaries.liveSummaryOf(SHOP)?.deployers).toBeUndefined();
});

test("T40: of the images that an agent lists as many are shown as it should list, each in one short line, and the others are counted", async () => {
  summaries.want([SHOP]);
  await clock.elapse(100);
  const images = Array.from({ length: 300 }, (_, index) => ({ image: `r/web-${index}:1\u0000\n${"x".repeat(10_000)}`, workloads: 1 }));
  last().say(0, { ...HEALTHY, images, moreImages: 3 });
  await clock.elapse(0);
  const known = summaries.liveSummaryOf(SHOP)?.images;
  expect([known?.images.length, known?.more]).toEqual([20, 283]);
  expect(known?.images.every(({ image }) => image.length < 600 && !/\p{Cc}/u.test(image))).toBe(true);
});

test.each([ViewGap.FORBIDDEN, ViewGap.FAILED, ViewGap.TOO_LARGE])(
  "what the agent does not know (%i) is for others to find out",
  async (gap) => {
    summaries.want([SHOP]);
    await clock.elapse(100);
    last().say(0, { gap });
    await summaries.settled(new AbortController().signal);
    expect(healthOf(SHOP)).toBeUndefined();
  },
);

test("a look waits for the first word, and no longer than three seconds", async () => {
  summaries.want([SHOP, SITE]);
  let settled = 0;
  const wait = (): void => void summaries.settled(new AbortController().signal).then(() => (settled += 1));
  wait();
  await clock.elapse(100);
  last().say(0, HEALTHY);
  await clock.elapse(1_000);
  expect(settled).toBe(0);
  last().say(1, HEALTHY);
  await clock.elapse(0);
  expect(settled).toBe(1);
  summaries.want([SHOP, SITE, scopeOf("more")]);
  wait();
  await clock.elapse(2_999);
  expect(settled).toBe(1);
  await clock.elapse(1);
  expect(settled).toBe(2);
});

test("a subscriber of more scopes requests only the new ones, and scopes without subscribers are dropped", async () => {
  summaries.want([SHOP]);
  await clock.elapse(100);
  last().say(0, HEALTHY);
  summaries.want([SHOP, SITE]);
  await clock.elapse(100);
  expect(answers.map(({ specs }) => specs.length)).toEqual([1, 1]);
  summaries.want([SITE]);
  await clock.elapse(100);
  expect(answers.map(({ isLeft }) => isLeft)).toEqual([true, false]);
  const many = Array.from({ length: 450 }, (_, index) => scopeOf(`ns-${index}`));
  summaries.want(many);
  await clock.elapse(100);
  last().say(0, HEALTHY);
  await clock.elapse(0);
  expect(answers.slice(2).map(({ specs }) => specs.length)).toEqual([200, 200, 50]);
});

test("a broken stream is requested again, and meanwhile nothing is live", async () => {
  summaries.want([SHOP]);
  await clock.elapse(100);
  last().say(0, HEALTHY);
  await clock.elapse(0);
  last().fail(new KubeClientError("connection", "the way broke"));
  await clock.elapse(0);
  expect(healthOf(SHOP)).toBeUndefined();
  await clock.elapse(2_000);
  expect(answers).toHaveLength(2);
  last().say(0, HEALTHY);
  await clock.elapse(0);
  expect(healthOf(SHOP)).toBe(HealthStatus.HEALTHY);
});

test("an agent that does not offer it is queried again after ten minutes, and no row waits for it", async () => {
  summaries.want([SHOP]);
  await clock.elapse(100);
  last().fail(new KubeClientError("api", "no views", { status: createStatus(501, "no views") }));
  await clock.elapse(0);
  await summaries.settled(new AbortController().signal);
  summaries.want([SHOP, SITE]);
  await clock.elapse(60_000);
  expect(answers).toHaveLength(1);
  await clock.elapse(600_000);
  summaries.want([SHOP, SITE]);
  await clock.elapse(100);
  expect(answers).toHaveLength(2);
});

test("an index of a thousand asks an agent that does not offer it once, not by every two hundred", async () => {
  summaries.want(Array.from({ length: 1_000 }, (_, index) => scopeOf(`ns-${index}`)));
  await clock.elapse(1_000);
  expect(answers.map(({ specs }) => specs.length)).toEqual([200]);
  last().fail(new KubeClientError("api", "no views", { status: createStatus(501, "no views") }));
  await clock.elapse(0);
  await summaries.settled(new AbortController().signal);
  await clock.elapse(60_000);
  expect(answers).toHaveLength(1);
});

test("scopes over the agent's limit are requested again later, and meanwhile no row waits for them", async () => {
  summaries.want(Array.from({ length: 450 }, (_, index) => scopeOf(`ns-${index}`)));
  await clock.elapse(100);
  const status = createStatus(429, "one caller may look at 300 summaries of an agent");
  last().fail(new KubeClientError("busy", "too many", { status, retryAfterSeconds: 30 }));
  await clock.elapse(0);
  expect(answers.map(({ specs }) => specs.length)).toEqual([200, 200, 50]);
  for (const answer of answers.slice(1)) answer.fail(new KubeClientError("busy", "too many", { status, retryAfterSeconds: 30 }));
  await clock.elapse(0);
  await summaries.settled(new AbortController().signal);
  await clock.elapse(20_000);
  expect(answers.length).toBeGreaterThan(3);
});

const lua = (text: string) => ({ engine: "lua", source: "s", pattern: "/Pod", text, hash: "h" }) as const;
const ofCluster = (text: string) => new Map([["argocd-cm", { origin: "argocd-cm", rules: [lua(text)], problems: [] } as const]]);
const namesIn = ({ view }: ViewSpec) => (view.case === "summary" ? [view.value.healthRules, view.value.scope?.rules?.healthRules] : []);

test("requests carry rules of users, those of the cluster once for all", async () => {
  rules.origins = ofCluster("return nil");
  rules.notify();
  const ofTeam = { id: "r", edges: [], hidden: [], ignored: [], health: [lua("return {}")] };
  summaries.want([{ ...SHOP, rules: ofTeam }, SITE]);
  await clock.elapse(100);
  const [shop, site] = last().specs as [ViewSpec, ViewSpec];
  const [cluster, team] = namesIn(shop);
  expect(namesIn(site)).toEqual([cluster, undefined]);
  expect([cluster, team].map((name) => name?.length)).toEqual([44, 44]);
  expect(cluster).not.toBe(team);
  const brought = shop.healthRules.map((bytes) =>
    fromBinary(HealthRulesSchema, bytes).origins.map(({ origin, rules }) => [origin, rules[0]?.text]),
  );
  expect(brought).toEqual([[["argocd-cm", "return nil"]], [["file", "return {}"]]]);
});

test("rules of users that come later: summaries of agents were judged without them, and are requested again", async () => {
  summaries.want([SHOP]);
  await clock.elapse(100);
  last().say(0, HEALTHY);
  await clock.elapse(0);
  expect(healthOf(SHOP)).toBe(HealthStatus.HEALTHY);
  changed = [];
  // A rule that failed is tried again: that makes no other rules.
  rules.notify();
  await clock.elapse(100);
  expect([healthOf(SHOP), changed, answers.length]).toEqual([HealthStatus.HEALTHY, [], 1]);
  const before = last();
  rules.origins = ofCluster("return nil");
  rules.notify();
  await clock.elapse(100);
  expect([healthOf(SHOP), changed, before.isLeft, answers.length]).toEqual([undefined, ["shop"], true, 2]);
  expect(namesIn(last().specs[0] as ViewSpec)[0]).not.toBe("");
  last().say(0, HEALTHY);
  await clock.elapse(0);
  expect(healthOf(SHOP)).toBe(HealthStatus.HEALTHY);
});

test("rules that are more than agents take are not run by them: scopes that they judge are not requested", async () => {
  rules.origins = ofCluster("x".repeat(600_000));
  rules.notify();
  summaries.want([SHOP]);
  await clock.elapse(100);
  await summaries.settled(new AbortController().signal);
  expect(answers).toEqual([]);
});

test("of several that know, the first is believed", () => {
  const one = { health: { status: 1 } } as never;
  const [quiet, other] = [
    { liveSummaryOf: () => undefined, onChange: () => () => {} },
    { liveSummaryOf: () => one, onChange: () => () => {} },
  ];
  expect(allLive(quiet, other).liveSummaryOf(SHOP)).toBe(one);
  expect(allLive(quiet).liveSummaryOf(SHOP)).toBeUndefined();
});

/** Environments that come one after the other while others go. */
function namespacesFrom(first: number, count: number): readonly ViewScope[] {
  return Array.from({ length: count }, (_, index) => scopeOf(`review-${first + index}`));
}

const openAnswers = (): readonly Answer[] => answers.filter(({ isLeft }) => !isLeft);

/** Every place of every open answer says something, once. */
function sayAll(from = 0): void {
  for (const answer of answers.slice(from)) for (const place of answer.specs.keys()) answer.say(place, HEALTHY);
}

test("T89: environments that come and go one by one are requested anew together, before their answers are many", async () => {
  let most = { answers: 0, views: 0 };
  for (let first = 0; first < 120; first += 1) {
    const before = answers.length;
    summaries.want(namespacesFrom(first, 100));
    await clock.elapse(100);
    sayAll(before);
    await clock.elapse(100);
    // Until the first answer has come, the others are not requested.
    sayAll(before);
    await clock.elapse(0);
    const open = openAnswers();
    most = {
      answers: Math.max(most.answers, open.length),
      views: Math.max(most.views, open.flatMap(({ specs }) => specs).length),
    };
  }
  expect(most.answers).toBeLessThanOrEqual(10);
  expect(most.views).toBeLessThanOrEqual(2 * 100 + 100);
  sayAll();
  await clock.elapse(1_000);
  expect(namespacesFrom(119, 100).filter((scope) => healthOf(scope) !== HealthStatus.HEALTHY)).toEqual([]);
});

test("while all is requested anew nothing is less known, and words of the earlier answer count no more afterwards", async () => {
  summaries.want([SHOP]);
  await clock.elapse(100);
  last().say(0, HEALTHY);
  await clock.elapse(0);
  const others = namespacesFrom(0, 6);
  for (const [index] of others.entries()) {
    summaries.want([SHOP, ...others.slice(0, index + 1)]);
    await clock.elapse(100);
    if (last().specs.length > 1) break;
    last().say(0, HEALTHY);
    await clock.elapse(0);
  }
  const [old] = answers;
  expect([old?.isLeft, healthOf(SHOP)]).toEqual([false, HealthStatus.HEALTHY]);
  const place = last().specs.findIndex(({ view }) => view.case === "summary" && view.value.scope?.namespaces[0] === "shop");
  last().say(place, { ...HEALTHY, health: { status: HealthStatus.DEGRADED } });
  await clock.elapse(0);
  expect([old?.isLeft, healthOf(SHOP)]).toEqual([true, HealthStatus.DEGRADED]);
  old?.say(0, HEALTHY);
  await clock.elapse(0);
  expect(healthOf(SHOP)).toBe(HealthStatus.DEGRADED);
});
