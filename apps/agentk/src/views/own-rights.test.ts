import { VIEW_ENGINE } from "@binnacle/environment-view";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { OwnRights, type Offer } from "./own-rights.ts";

const ALL: Offer = { engine: VIEW_ENGINE, lacking: [] };
const NO_PODS: Offer = { engine: "", lacking: ["list pods in all namespaces"] };
const UNKNOWN: Offer = { engine: "", lacking: ["the API server does not say what this agent may read"] };

let clock: ManualClock;
let rights: OwnRights;
let reviewed: number;
let forbidden: string;
let isAway: boolean;

beforeEach(() => {
  clock = new ManualClock();
  [reviewed, forbidden, isAway] = [0, "", false];
  const may = async (resource: string | undefined): Promise<boolean> => {
    reviewed += 1;
    if (isAway) throw new Error("the API server is away");
    return resource !== forbidden;
  };
  const reviews = { rules: () => expect.unreachable(), may: ({ kind }: { kind: { resource: string } | undefined }) => may(kind?.resource) };
  rights = new OwnRights(reviews, clock, new AbortController().signal);
});

function follow(): { readonly offers: Offer[]; readonly leave: () => void } {
  const offers: Offer[] = [];
  const leave = rights.follow((offer) => offers.push(offer));
  return { offers, leave };
}

test("all followers receive the offer once, by one review a minute", async () => {
  const [first, second] = [follow(), follow()];
  expect(first.offers).toEqual([]);
  await clock.elapse(0);
  const third = follow();
  await clock.elapse(170_000);
  expect([first.offers, second.offers, third.offers]).toEqual([[ALL], [ALL], [ALL]]);
  expect(reviewed).toBe(3 * 6);
});

test("a right that is granted or withdrawn changes the offer", async () => {
  const { offers } = follow();
  await clock.elapse(0);
  forbidden = "pods";
  await clock.elapse(60_000);
  forbidden = "";
  await clock.elapse(60_000);
  expect(offers).toEqual([ALL, NO_PODS, ALL]);
});

test("an API server that does not answer withdraws nothing, and is soon queried again", async () => {
  isAway = true;
  const { offers } = follow();
  await clock.elapse(4_000);
  expect(offers).toEqual([UNKNOWN]);
  isAway = false;
  await clock.elapse(1_000);
  isAway = true;
  await clock.elapse(120_000);
  expect(offers).toEqual([UNKNOWN, ALL]);
});

test("a follower that leaves receives nothing more, and the others still do; with the last one the reviews end", async () => {
  const [first, second] = [follow(), follow()];
  first.leave();
  await clock.elapse(0);
  expect([first.offers, second.offers]).toEqual([[], [ALL]]);
  second.leave();
  expect(clock.pending).toBe(0);
  forbidden = "pods";
  const { offers } = follow();
  await clock.elapse(0);
  expect(offers).toEqual([NO_PODS]);
});
