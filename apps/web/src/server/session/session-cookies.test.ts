import { Secret } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { describe, expect, test } from "vitest";

import { parseCookies } from "../main-application/credential.ts";
import { SessionCookies } from "./session-cookies.ts";
import { randomSessionKeys, SessionKeyRing } from "../config/session-keys.ts";
import { SessionSeal } from "./session-seal.ts";

const NONE = new Map<string, string>();
const plain = new SessionCookies({ secure: false, path: "/" });

/** What a browser sends back after these lines; those with an age of 0 are gone. */
function sentBack(lines: readonly string[], before: ReadonlyMap<string, string> = NONE): ReadonlyMap<string, string> {
  const kept = new Map(before);
  for (const line of lines) {
    const [pair = ""] = line.split("; ");
    const [name = ""] = pair.split("=", 1);
    if (line.includes("; Max-Age=0;")) kept.delete(name);
    else kept.set(name, pair.slice(name.length + 1));
  }
  return parseCookies([...kept].map((pair) => pair.join("=")).join("; "));
}

describe("names and attributes", () => {
  test.each([
    [{ secure: true, path: "/" }, "__Host-_binnacle_session=1.x; Max-Age=9; Path=/; HttpOnly; Secure; SameSite=Lax"],
    [{ secure: true, path: "/below" }, "__Secure-_binnacle_session=1.x; Max-Age=9; Path=/below; HttpOnly; Secure; SameSite=Lax"],
    [{ secure: false, path: "/" }, "_binnacle_session=1.x; Max-Age=9; Path=/; HttpOnly; SameSite=Lax"],
  ])("%j", (options, line) => {
    expect(new SessionCookies(options).write("x", 9, NONE)).toEqual([line]);
  });

  test("T32: over https a cookie without the prefix, which a page of http could have set, is not looked at", () => {
    const secure = new SessionCookies({ secure: true, path: "/" });
    expect(secure.read(sentBack(plain.write("x", 9, NONE) ?? []))).toBeUndefined();
  });
});

describe("chunks", () => {
  const long = "x".repeat(9_000);

  test("every cookie is below 4 KiB with its name and attributes, and together they are what was written", () => {
    const lines = plain.write(long, 43_200, NONE) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(4_096);
    expect(plain.read(sentBack(lines))).toBe(long);
  });

  test.each([3_581, 3_582, 3_583, 7_166, 7_167, 10_750])("%i characters come back as they went", (characters) => {
    const text = "y".repeat(characters);
    expect(plain.read(sentBack(plain.write(text, 9, NONE) ?? []))).toBe(text);
  });

  test("what does not fit into three is refused", () => {
    expect(plain.write("x".repeat(10_751), 9, NONE)).toBeUndefined();
  });

  test("a short session after a long one leaves nothing of it, and clearing takes all", () => {
    const before = sentBack(plain.write(long, 9, NONE) ?? []);
    const after = sentBack(plain.write("short", 9, before) ?? [], before);
    expect([...after.keys()]).toEqual(["_binnacle_session"]);
    expect(plain.read(after)).toBe("short");
    expect(sentBack(plain.clear(before), before).size).toBe(0);
  });

  test("a leftover of a longer session does not get into a shorter one", () => {
    const leftover = new Map([["_binnacle_session.1", "leftover"]]);
    expect(plain.read(new Map([...leftover, ...sentBack(plain.write("short", 9, NONE) ?? [])]))).toBe("short");
  });

  test.each(["", "x", "0.x", "4.x", "9.x", "1.", "-1.x", "2.x"])("T32: %j does not belong together", (value) => {
    expect(plain.read(new Map([["_binnacle_session", value]]))).toBe("");
  });

  test("a token of 6 KiB is kept in three cookies, the longest one that is let in too", async () => {
    const clock = new ManualClock();
    const seal = new SessionSeal(new SessionKeyRing(randomSessionKeys()), clock);
    for (const characters of [6 * 1_024, 7_168]) {
      const token = "t".repeat(characters);
      const lines = plain.write(await seal.seal(new Secret(token)), 9, NONE) ?? [];
      expect(lines).toHaveLength(3);
      expect((await seal.open(plain.read(sentBack(lines)) ?? ""))?.token.reveal()).toBe(token);
    }
  });
});
