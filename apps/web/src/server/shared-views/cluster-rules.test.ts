import { KubeClientError, type KindListRequest, type ObjectRequest } from "@binnacle/environment-view";
import { RuleEngine } from "@binnacle/health-lua";
import type { KubeObject, ObjectList } from "@binnacle/kube";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ClusterRules, type OpenRules, type RulesUser } from "./cluster-rules.ts";

const MAP: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "argocd-cm", namespace: "argocd", uid: "u", resourceVersion: "1" },
  data: { "resource.customizations.health.example.com_Widget": "hs = {}\nhs.status = 'Healthy'\nreturn hs" },
};

/** A user whose requests are counted, and rejected while no credential carries them. */
class User implements RulesUser {
  readonly requests: string[] = [];
  isCarried = true;
  /** Requests are not answered until their signal aborts. */
  isHanging = false;
  readonly namespaces = (): string[] => [];
  readonly client: RulesUser["client"] = {
    get: ({ name }: ObjectRequest, signal): Promise<KubeObject> => this.#answer(`get ${name}`, MAP, signal),
    list: ({ kind }: KindListRequest, signal): Promise<ObjectList> =>
      this.#answer(`list ${kind.resource}`, { items: [], resourceVersion: "1", continueToken: "", remaining: undefined }, signal),
  };

  #answer<T>(request: string, value: T, signal: AbortSignal): Promise<T> {
    if (!this.isCarried) return Promise.reject(new KubeClientError("unauthorized", "no subscriber is left"));
    this.requests.push(request);
    if (!this.isHanging) return Promise.resolve(value);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new KubeClientError("connection", "aborted")), { once: true });
    });
  }
}

const ONCE = ["get argocd-cm", "list kustomizations"];

let clock: ManualClock;
let engine: RuleEngine;
let rules: ClusterRules;
let open: OpenRules[];

beforeEach(() => {
  clock = new ManualClock(0);
  engine = new RuleEngine({ clock });
  rules = new ClusterRules({ engine, clock, log: createLogger("web", "silent"), argocdNamespace: "argocd", flux: true, pollMs: 60_000 });
  open = [];
});

afterEach(async () => {
  const closed = Promise.all(open.map((each) => each.close()));
  await clock.elapse(0);
  await closed;
  await engine.close();
  clock.assertIdle();
});

function join(tenant: string, user: User): OpenRules {
  const opened = rules.open(tenant, user);
  open.push(opened);
  opened.start();
  return opened;
}

async function leave(opened: OpenRules): Promise<void> {
  open.splice(open.indexOf(opened), 1);
  const closed = opened.close();
  await clock.elapse(0);
  await closed;
}

test("a view and the summaries of one identity read the rules of their cluster once, and share them", async () => {
  const [view, sampler, stranger] = [new User(), new User(), new User()];
  const [first, second, other] = [join("a", view), join("a", sampler), join("b", stranger)];
  await clock.elapse(0);
  expect([view.requests, sampler.requests, stranger.requests]).toEqual([ONCE, [], ONCE]);
  await clock.elapse(60_000);
  expect([view.requests.length, sampler.requests.length]).toEqual([4, 0]);
  expect(second.rules).toBe(first.rules);
  expect(other.rules).not.toBe(first.rules);
  expect(second.rules.ruleFor("example.com/v1", "Widget")?.source).toContain("argocd/argocd-cm");
});

test("rules are read with the other's credential when the first has no subscriber left, and stay in force", async () => {
  const [view, sampler] = [new User(), new User()];
  const first = join("a", view);
  const second = join("a", sampler);
  await clock.elapse(0);
  view.isCarried = false;
  await clock.elapse(60_000);
  expect([view.requests, sampler.requests]).toEqual([ONCE, ONCE]);
  await leave(first);
  await clock.elapse(60_000);
  expect(sampler.requests).toEqual([...ONCE, ...ONCE]);
  expect(second.rules.ruleFor("example.com/v1", "Widget")).toBeDefined();
});

test("a request with the credential of a leaving subscriber is aborted, and sent again with the other's", async () => {
  const [view, sampler] = [new User(), new User()];
  view.isHanging = true;
  const first = join("a", view);
  join("a", sampler);
  await clock.elapse(0);
  expect([view.requests, sampler.requests]).toEqual([["get argocd-cm"], []]);
  await leave(first);
  await clock.elapse(5_000);
  expect(view.requests).toEqual(["get argocd-cm"]);
  expect(sampler.requests).toEqual(expect.arrayContaining(ONCE));
});

test("a subscriber who joins when the rules could not be read reads them at once; the last to leave ends everything", async () => {
  const [view, sampler] = [new User(), new User()];
  view.isCarried = false;
  const first = join("a", view);
  await clock.elapse(600_000);
  const second = join("a", sampler);
  await clock.elapse(0);
  expect(sampler.requests).toEqual(ONCE);
  await leave(first);
  await leave(second);
  expect(clock.pending).toBe(0);
  join("a", view);
});
