import { describe, expect, test } from "vitest";

import { reviewIdentity } from "./cluster-identity.ts";

const NEVER = new AbortController().signal;

/** The key of an identity as the cluster reports it. */
async function keyOf(userInfo: object): Promise<string | undefined> {
  const client = { json: () => Promise.resolve({ status: { userInfo: { username: "u", ...userInfo } } }) };
  return (await reviewIdentity(client, NEVER))?.key;
}

describe("W7: who one is to the cluster", () => {
  test("is the same with another token of the same account", async () => {
    const extra = (token: string) => ({
      "authentication.kubernetes.io/credential-id": [`JTI=${token}`],
      "authentication.kubernetes.io/node-name": [`node of ${token}`],
      "example.com/team": ["a"],
    });
    expect(await keyOf({ extra: extra("one") })).toBe(await keyOf({ extra: extra("two") }));
    expect(await keyOf({ extra: extra("one") })).toBe(await keyOf({ extra: { "example.com/team": ["a"] } }));
  });

  test.each([
    [{ extra: { "example.com/session": ["a"] } }, { extra: { "example.com/session": ["b"] } }],
    [{ extra: { "authentication.kubernetes.io.example.com/x": ["a"] } }, {}],
    [{ groups: ["a"] }, { groups: ["a", "b"] }],
    [{ uid: "1" }, { uid: "2" }],
    [{ username: "v" }, {}],
  ])("is another with %j and with %j", async (one, other) => {
    expect(await keyOf(one)).not.toBe(await keyOf(other));
  });

  test("does not depend on the order of groups and extras", async () => {
    expect(await keyOf({ groups: ["a", "b"], extra: { a: [], b: [] } })).toBe(await keyOf({ groups: ["b", "a"], extra: { b: [], a: [] } }));
  });
});
