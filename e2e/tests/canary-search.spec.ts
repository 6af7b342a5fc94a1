// needs: redis
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startRedisServer } from "@binnacle/testing";
import type { Page } from "@playwright/test";

import { BrowserTraffic } from "../support/browser-traffic.ts";
import { Canaries } from "../support/canaries.ts";
import { logsIn, metricsOf, storageOf } from "../support/canary-places.ts";
import { expect, test } from "../support/fixtures.ts";
import { startLeakySite, type LeakySite } from "../support/leaky-site.ts";
import { listenToRedis } from "../support/redis-monitor.ts";

// The search of canary.spec.ts says that nothing leaks: here it shows, place by place, that it would say so.
const WORD = `canary-${randomBytes(12).toString("hex")}`;
const canaries = new Canaries([["word", WORD]]);

let site: LeakySite;
test.beforeAll(async () => {
  site = await startLeakySite(WORD);
});
test.afterAll(() => site.close());

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Asks from within the page, and lets the answer be. */
function ask(page: Page, path: string, init: Pick<RequestInit, "method" | "referrerPolicy"> & Sent = {}): Promise<void> {
  return page.evaluate(async ([url, options]) => void (await fetch(url, options)), [`${site.url}${path}`, init] as const);
}

/** Where the word may leak on the way between a browser and a site. `found`: what the search says, without the site's address. */
const LEAKS: readonly (readonly [place: string, leak: (page: Page) => Promise<unknown>, found: string])[] = [
  ["a URL", (page) => ask(page, `/other?word=${WORD}`), "request"],
  ["the address of the page", (page) => page.goto(`${site.url}/?word=${WORD}`), "request"],
  ["a header of a request", (page) => ask(page, "/other", { headers: { "x-word": WORD } }), "request"],
  ["the body of a request", (page) => ask(page, "/other", { method: "POST", body: `{"word":"${WORD}"}` }), "request"],
  [
    "the binary body of a request",
    (page) =>
      page.evaluate(
        async (word) => void (await fetch("/other", { method: "POST", body: new TextEncoder().encode(`\0\xff${word}`) })),
        WORD,
      ),
    "request",
  ],
  [
    "a header that scripts cannot set, Referer",
    async (page) => {
      await page.evaluate((word) => history.replaceState({}, "", `/?word=${word}`), WORD);
      await ask(page, "/other", { referrerPolicy: "unsafe-url" });
    },
    "request",
  ],
  ["the body of an answer", (page) => ask(page, "/body"), "body"],
  ["a message of a stream that has no end", (page) => ask(page, "/stream"), "body"],
  ["a header of an answer", (page) => ask(page, "/header"), "answer"],
  ["a redirect", (page) => ask(page, "/redirect"), "answer"],
  ["the console", (page) => page.evaluate((word) => console.log("so", { word }), WORD), "console"],
];

for (const [place, leak, found] of LEAKS) {
  test(`T7: the search finds a word in ${place}`, async ({ page }) => {
    const traffic = await BrowserTraffic.record(page);
    await page.goto(site.url);
    expect(canaries.found(await traffic.parts())).toEqual([]);
    await leak(page);
    await expect
      .poll(async () => canaries.found(await traffic.parts()).map((sentence) => sentence.split(" ")[2]), `it stands in ${found}`)
      .toContain(found);
  });
}

test("T7: what a browser does with a credential as it should is left out", async ({ page, context }) => {
  const traffic = await BrowserTraffic.record(page);
  await page.goto(site.url);
  await ask(page, "/set-cookie");
  await ask(page, "/other");
  await ask(page, "/api/session/token", { method: "POST", body: JSON.stringify({ token: WORD }) });
  expect((await context.cookies()).map(({ value }) => value)).toEqual([WORD]);
  expect(canaries.found(await traffic.parts())).toEqual([]);
});

const STORES: readonly (readonly [place: string, leak: (word: string) => unknown])[] = [
  ["localStorage", (word) => localStorage.setItem("word", word)],
  ["sessionStorage", (word) => sessionStorage.setItem("word", word)],
  ["a cookie that scripts can read", (word) => (document.cookie = `word=${word}`)],
  ["the document", (word) => document.body.setAttribute("data-word", btoa(`{"word":"${word}"}`))],
  [
    "IndexedDB",
    (word) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("store", 1);
        opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("words").put(word, "word"));
        opening.addEventListener("success", () => resolve(opening.result.close()));
        opening.addEventListener("error", () => reject(opening.error ?? new Error("IndexedDB")));
      }),
  ],
];

for (const [place, leak] of STORES) {
  test(`T7: the search finds a word in ${place}`, async ({ page, context }) => {
    await page.goto(site.url);
    expect(canaries.found([await storageOf(page, context)])).toEqual([]);
    await page.evaluate(leak, WORD);
    expect(canaries.found([await storageOf(page, context)])).toEqual(["word in storage"]);
  });
}

test("T7: the search finds a word in a log, whatever it is wrapped in", () => {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-canary-"));
  const wrapped = {
    plain: `{"msg":"it is ${WORD}"}`,
    url: `GET /?q=${encodeURIComponent(`<${WORD}>`)}`,
    base64: Buffer.from(`xy${WORD}`).toString("base64"),
    base64url: Buffer.from(`{"token":"${WORD}","exp":1}`).toString("base64url"),
    hex: Buffer.from(WORD).toString("hex"),
  };
  for (const [name, line] of Object.entries(wrapped)) writeFileSync(join(directory, `${name}.log`), `a line\n${line}\n`);
  writeFileSync(join(directory, "clean.log"), "nothing\n");
  const found = canaries.found(logsIn(directory));
  rmSync(directory, { recursive: true });
  expect(found.toSorted()).toEqual(
    Object.keys(wrapped)
      .map((name) => `word in log ${name}.log`)
      .toSorted(),
  );
});

test("T7: the search finds a word in metrics", async () => {
  expect(canaries.found(await metricsOf([["web", site.url]]))).toEqual(["word in metrics of web"]);
});

/** Gives a Redis commands, and is sure that each was carried out. */
async function tellRedis(port: number, ...commands: readonly string[]): Promise<void> {
  const client = connect(port, "127.0.0.1");
  for (const command of commands) {
    client.write(`${command}\r\n`);
    await new Promise((resolve) => client.once("data", resolve));
  }
  client.destroy();
}

for (const [place, command] of [
  ["a key", `SET kas:${WORD} 1`],
  ["a value", `HSET kas field ${WORD}`],
  ["a message", `PUBLISH kas ${WORD}`],
] as const) {
  test(`T7, T31: the search finds a word in ${place} of Redis`, async () => {
    const redis = await startRedisServer();
    const monitor = await listenToRedis(`redis://127.0.0.1:${redis.port}`);
    // Deleted again: it was there, and that is enough. The monitor gets it before Redis answers the next client.
    await tellRedis(redis.port, command, "FLUSHALL", "PING");
    const text = await monitor.stop();
    await redis.stop();
    expect(canaries.found([{ where: "Redis", text }])).toEqual(["word in Redis"]);
  });
}

for (const [type, command] of [
  ["a string", `SET kas ${WORD}`],
  ["a hash", `HSET kas field ${WORD}`],
  ["a list", `RPUSH kas ${WORD}`],
  ["a set", `SADD kas ${WORD}`],
  ["a sorted set", `ZADD kas 1 ${WORD}`],
  ["a stream", `XADD kas * field ${WORD}`],
] as const) {
  test(`T7, T31: the search finds a word that Redis kept in ${type} before it began`, async () => {
    const redis = await startRedisServer();
    await tellRedis(redis.port, command);
    const text = await (await listenToRedis(`redis://127.0.0.1:${redis.port}`)).stop();
    await redis.stop();
    expect(canaries.found([{ where: "Redis", text }])).toEqual(["word in Redis"]);
  });
}
