import { ManualClock, settle } from "@binnacle/testing";
import { expect, test } from "vitest";

import { keepRenewed } from "./keep-renewed.ts";
import { renewSession, type AskRenewal, type Renewal } from "./renew-session.ts";

/** Answers in order; what was sent with each. */
function answering(...statuses: readonly (number | undefined)[]): { readonly ask: AskRenewal; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const ask: AskRenewal = (body) => {
    const status = statuses[sent.push(body) - 1];
    return Promise.resolve(status === undefined ? undefined : { status, body: { renewInSeconds: 100 } });
  };
  return { ask, sent };
}

test("a stale cookie is tried once more, and only once", async () => {
  const good = answering(409, 200);
  expect(await renewSession(good.ask)).toEqual({ kind: "renewed", nextInSeconds: 100 });
  expect(good.sent).toEqual([{}, { again: true }]);
  const bad = answering(409, 401);
  expect(await renewSession(bad.ask)).toEqual({ kind: "ended" });
  expect(bad.sent).toHaveLength(2);
});

test("no answer, and one of a server in trouble, say nothing of the session", async () => {
  expect(await renewSession(answering(undefined).ask)).toEqual({ kind: "unanswered" });
  expect(await renewSession(answering(503).ask)).toEqual({ kind: "unanswered" });
});

/** A page with a clock, and what its renewals answer. */
function open(...answers: readonly Renewal[]) {
  const clock = new ManualClock();
  const page = { clock, renewals: 0, wake: (): void => undefined, isWakeable: true };
  const stop = keepRenewed({
    firstInSeconds: 60,
    clock,
    renew: () => Promise.resolve(answers[page.renewals++] ?? { kind: "ended" }),
    onWake: (wake) => {
      page.wake = wake;
      return () => void (page.isWakeable = false);
    },
  });
  return { page, stop };
}

test("it is renewed when due, again after the time that the server names, and after 10 s without an answer", async () => {
  const { page } = open({ kind: "renewed", nextInSeconds: 120 }, { kind: "unanswered" }, { kind: "renewed", nextInSeconds: 60 });
  const counts: number[] = [];
  for (const ms of [59_999, 1, 119_999, 1, 9_999, 1]) {
    page.clock.advance(ms);
    await settle();
    counts.push(page.renewals);
  }
  expect(counts).toEqual([0, 1, 1, 2, 2, 3]);
});

test("an ended session, and one that cannot be renewed, is asked for no more", async () => {
  for (const last of [{ kind: "ended" }, { kind: "renewed", nextInSeconds: undefined }] as const) {
    const { page } = open(last);
    page.clock.advance(60_000);
    await settle();
    page.clock.advance(10 * 3_600_000);
    await settle();
    expect([page.renewals, page.isWakeable]).toEqual([1, false]);
  }
});

test("a page that wakes renews what is due, not what is not, and nothing after it was left", async () => {
  const { page, stop } = open({ kind: "renewed", nextInSeconds: 60 });
  page.wake();
  await settle();
  expect(page.renewals).toBe(0);
  stop();
  page.clock.advance(3_600_000);
  page.wake();
  await settle();
  expect([page.renewals, page.isWakeable]).toEqual([0, false]);
});
