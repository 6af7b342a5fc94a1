import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CardHover, type HoveredCard } from "./card-hover.ts";

let shown: (string | undefined)[];
let hover: CardHover;

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  hover = new CardHover((card: HoveredCard | undefined) => shown.push(card?.id));
});
afterEach(() => {
  hover.close();
  vi.useRealTimers();
});

/** No document is needed for what is looked at of a card. */
const card = (nodeId: string): HTMLElement => ({ dataset: { nodeId } }) as unknown as HTMLElement;
const [web, api] = [card("web"), card("api")];

test("a pointer that rests on a card opens its tip, and one that passes over it does not", () => {
  hover.over(web);
  vi.advanceTimersByTime(300);
  hover.over(api);
  vi.advanceTimersByTime(399);
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual(["api"]);
});

test("moving within a card begins nothing anew", () => {
  hover.over(web);
  vi.advanceTimersByTime(399);
  hover.over(web);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual(["web"]);
});

test("the tip stays while the pointer is on it, and closes soon after the card was left", () => {
  hover.over(web);
  vi.advanceTimersByTime(400);
  hover.over(undefined);
  vi.advanceTimersByTime(100);
  hover.stay();
  vi.advanceTimersByTime(10_000);
  expect(shown).toEqual(["web"]);
  hover.over(undefined);
  vi.advanceTimersByTime(200);
  expect(shown).toEqual(["web", undefined]);
});

test("what was sent away comes back only to who has left and come back", () => {
  hover.over(web);
  vi.advanceTimersByTime(400);
  hover.dismiss();
  expect([shown, hover.isShown]).toEqual([["web", undefined], false]);
  hover.over(web);
  vi.advanceTimersByTime(10_000);
  expect(shown).toHaveLength(2);
  hover.over(undefined);
  hover.over(web);
  vi.advanceTimersByTime(400);
  expect(shown).toEqual(["web", undefined, "web"]);
});

test("a press on a card before the tip opens prevents the tip", () => {
  hover.over(web);
  hover.dismiss();
  hover.over(web);
  vi.advanceTimersByTime(10_000);
  expect(shown).toEqual([]);
});
