import { randomBytes } from "node:crypto";
import { inspect } from "node:util";

import { Secret } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import fc from "fast-check";
import { EncryptJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";

import { parseSessionKeys, randomSessionKeys, SessionKeyRing } from "../config/session-keys.ts";
import { SESSION_SECONDS, SessionSeal } from "./session-seal.ts";

const TOKEN = new Secret("glpat-canary-of-the-seal");
let clock: ManualClock;
let ring: SessionKeyRing;
let seal: SessionSeal;
beforeEach(() => {
  clock = new ManualClock();
  ring = new SessionKeyRing(randomSessionKeys());
  seal = new SessionSeal(ring, clock);
});

const another = (): SessionSeal => new SessionSeal(new SessionKeyRing(randomSessionKeys()), clock);
const bytesOf = ({ secret }: { readonly secret: Secret }): Uint8Array => Buffer.from(secret.reveal(), "base64");

test("what was sealed opens, in another process with the same keys too, each time with an id of its own", async () => {
  const [one, two] = [await seal.seal(TOKEN), await seal.seal(TOKEN)];
  const opened = await new SessionSeal(ring, clock).open(one);
  expect(opened?.token.reveal()).toBe(TOKEN.reveal());
  expect(opened?.id).toMatch(/^[\w-]{22}$/);
  expect((await seal.open(two))?.id).not.toBe(opened?.id);
});

test("T7: the text tells nothing of the token, and what was opened does not print it", async () => {
  const text = await seal.seal(TOKEN);
  const decoded = text.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
  for (const part of [text, ...decoded]) expect(part).not.toContain("canary");
  const opened = await seal.open(text);
  expect(`${inspect(opened)} ${JSON.stringify(opened)}`).not.toContain("canary");
});

test("T32: a change of any one character of it makes it no session", async () => {
  const text = await seal.seal(TOKEN);
  const rest = (index: number): string => text.slice(index + 1);
  for (let index = 0; index < text.length; index += 1) {
    // The last character of a base64url part has bits that mean nothing; a change of these is none.
    if (text[index + 1] === "." || index === text.length - 1) continue;
    const changed = text[index] === "A" ? "B" : "A";
    expect(await seal.open(text.slice(0, index) + changed + rest(index)), `character ${index}`).toBeUndefined();
  }
});

test("T32: parts of two sessions make no third, and parts that are missing none at all", async () => {
  const [one, two] = [(await seal.seal(TOKEN)).split("."), (await seal.seal(new Secret("other"))).split(".")];
  for (let part = 2; part < 5; part += 1) {
    expect(await seal.open(one.with(part, two[part] ?? "").join("."))).toBeUndefined();
    expect(await seal.open(one.with(part, "").join("."))).toBeUndefined();
    expect(await seal.open(one.toSpliced(part, 1).join("."))).toBeUndefined();
  }
});

test("T32: whatever a browser sends, it is no session and no error", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.array(fc.base64String(), { minLength: 5, maxLength: 5 }).map((parts) => parts.join(".")),
      ),
      async (text) => {
        expect(await seal.open(text)).toBeUndefined();
      },
    ),
  );
  const header = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const value of [
    null,
    1,
    [],
    {},
    { alg: "dir" },
    { alg: "none", enc: "A256GCM" },
    { alg: "dir", enc: "A256GCM", kid: 7 },
    { alg: "dir", enc: "A256GCM", crit: ["x"] },
  ])
    expect(await seal.open(`${header(value)}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`)).toBeUndefined();
});

describe("T32: what was sealed for something else", () => {
  const claims = { sid: "x", token: "glpat-1" };
  const sealAs = (
    change: (jwt: EncryptJWT) => EncryptJWT,
    header: { typ?: string; enc?: string } = {},
    of: object = claims,
  ): Promise<string> => {
    const now = clock.now() / 1_000;
    const jwt = new EncryptJWT({ ...of })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", typ: "binnacle-session-1", kid: ring.sealing.id, ...header })
      .setAudience("binnacle-web-session")
      .setIssuedAt(now)
      .setExpirationTime(now + 60);
    return change(jwt).encrypt(bytesOf(ring.sealing));
  };

  test("as it should be it opens", async () => {
    expect(await seal.open(await sealAs((jwt) => jwt))).toMatchObject({ id: "x" });
  });

  test.each<{ what: string; change?: (jwt: EncryptJWT) => EncryptJWT; header?: { typ?: string }; of?: object }>([
    { what: "another audience", change: (jwt) => jwt.setAudience("elsewhere") },
    { what: "another version", header: { typ: "binnacle-session-2" } },
    { what: "more time than anybody gets", change: (jwt) => jwt.setExpirationTime(clock.now() / 1_000 + 30 * 86_400) },
    { what: "no token", of: { sid: "x" } },
    { what: "a token that is no text", of: { sid: "x", token: 1 } },
  ])("$what makes it no session", async ({ change, header, of }) => {
    expect(await seal.open(await sealAs(change ?? ((jwt) => jwt), header, of))).toBeUndefined();
  });
});

describe("time", () => {
  test("a session is over after twelve hours", async () => {
    const text = await seal.seal(TOKEN);
    clock.advance((SESSION_SECONDS - 1) * 1_000);
    const last = await seal.open(text);
    expect(last).toBeDefined();
    clock.advance(1_000);
    expect(await seal.open(text)).toBeUndefined();
    expect(last && seal.isGood(last)).toBe(false);
  });

  test("a clock that jumps ahead by a year ends it, one that jumps back makes it no longer", async () => {
    const text = await seal.seal(TOKEN);
    const at = (atMs: number): SessionSeal => new SessionSeal(ring, new ManualClock(atMs));
    expect(await at(clock.now() + 365 * 86_400_000).open(text)).toBeUndefined();
    expect(await at(clock.now() - 240_000).open(text)).toBeDefined();
    expect(await at(clock.now() - 86_400_000).open(text)).toBeUndefined();
  });
});

describe("keys", () => {
  const line = (): string => randomBytes(32).toString("base64");

  test("the first of two seals, both open; a key that was taken away opens nothing", async () => {
    const [old, fresh] = [line(), line()];
    ring.replace(parseSessionKeys(`${old}\n`));
    const before = await seal.open(await seal.seal(TOKEN));
    const text = await seal.seal(TOKEN);
    ring.replace(parseSessionKeys(`${fresh}\n${old}\n`));
    expect(await seal.open(text)).toBeDefined();
    const newer = await seal.seal(TOKEN);
    ring.replace(parseSessionKeys(fresh));
    expect(await seal.open(text)).toBeUndefined();
    expect(before && seal.isGood(before)).toBe(false);
    expect(await seal.open(newer)).toBeDefined();
  });

  test("T32: a session of another key is none, also when it names one of ours", async () => {
    expect(await another().open(await seal.seal(TOKEN))).toBeUndefined();
    const forged = await new EncryptJWT({ sid: "x", token: "t" })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", typ: "binnacle-session-1", kid: ring.sealing.id })
      .setAudience("binnacle-web-session")
      .setExpirationTime(clock.now() / 1_000 + 60)
      .encrypt(randomBytes(32));
    expect(await seal.open(forged)).toBeUndefined();
  });

  test.each([
    ["nothing", ""],
    ["empty lines", "\n \n"],
    ["three keys", `${line()}\n${line()}\n${line()}`],
    ["a short key", randomBytes(31).toString("base64")],
    ["a long key", randomBytes(33).toString("base64")],
    ["another alphabet", "_".repeat(43) + "="],
    ["one good and one bad", `${line()}\nsecret-canary`],
  ])("a file with %s is rejected, and its content is not logged", (_what, text) => {
    expect(() => parseSessionKeys(text)).toThrow(/^must hold one or two lines, each 32 bytes as base64 text/);
    expect(() => parseSessionKeys(text)).not.toThrow(/canary/);
  });

  test("T7: a key's name is not the key, and keys do not print", () => {
    const text = line();
    const [key] = parseSessionKeys(text);
    expect(text).not.toContain(key.id);
    expect(inspect(key)).not.toContain(text);
  });
});
