import { VIEW_ENGINE } from "@binnacle/environment-view";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { OwnRights, type Offer } from "./own-rights.ts";

const ALL: Offer = { engine: VIEW_ENGINE, lacking: [] };
const NO_PODS: Offer = { engine: "", lacking: ["list pods in all namespaces"] };
const UNKNOWN: Offer = { engine: "", lacking: ["the API server does not say what this agent may read"] };

let clock: ManualClock;
let rights: OwnRights;
let asked: number;
let forbidden: string;
let isAway: boolean;

beforeEach(() => {
  clock = new ManualClock();
  [asked, forbidden, isAway] = [0, "", false];
  const may = async (resource: string | undefined): Promise<boolean> => {
    asked += 1;
    if (isAway) throw new Error("the API server is away");
    return resource !== forbidden;
  };
  const reviews = { rules: () => expect.unreachable(), may: ({ kind }: { kind: { resource: string } | undefined }) => may(kind?.resource) };
  rights = new OwnRights(reviews, clock, new AbortController().signal);
});

function follow(): { readonly told: Offer[]; readonly leave: () => void } {
  const told: Offer[] = [];
  const leave = rights.follow((offer) => told.push(offer));
  return { told, leave };
}

test("all who follow are told, by one question a minute, and nobody twice", async () => {
  const [first, second] = [follow(), follow()];
  expect(first.told).toEqual([]);
  await clock.elapse(0);
  const third = follow();
  await clock.elapse(170_000);
  expect([first.told, second.told, third.told]).toEqual([[ALL], [ALL], [ALL]]);
  expect(asked).toBe(3 * 6);
});

test("a right that comes or goes is told", async () => {
  const { told } = follow();
  await clock.elapse(0);
  forbidden = "pods";
  await clock.elapse(60_000);
  forbidden = "";
  await clock.elapse(60_000);
  expect(told).toEqual([ALL, NO_PODS, ALL]);
});

test("an API server that does not say takes nothing back, and is asked again soon", async () => {
  isAway = true;
  const { told } = follow();
  await clock.elapse(4_000);
  expect(told).toEqual([UNKNOWN]);
  isAway = false;
  await clock.elapse(1_000);
  isAway = true;
  await clock.elapse(120_000);
  expect(told).toEqual([UNKNOWN, ALL]);
});

test("one who leaves is told nothing more, and takes nothing from the others; with the last the questions end", async () => {
  const [first, second] = [follow(), follow()];
  first.leave();
  await clock.elapse(0);
  expect([first.told, second.told]).toEqual([[], [ALL]]);
  second.leave();
  expect(clock.pending).toBe(0);
  forbidden = "pods";
  const { told } = follow();
  await clock.elapse(0);
  expect(told).toEqual([NO_PODS]);
});
