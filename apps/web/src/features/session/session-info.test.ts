import { expect, test } from "vitest";
import { sessionInfoOf } from "./session-info.ts";

test("the name and the way are taken from the answer", () => {
  expect(sessionInfoOf({ mainApplication: "Harbor", way: "token" })).toEqual({ mainApplication: "Harbor", way: "token" });
  expect(sessionInfoOf({ mainApplication: "Harbor", way: "cookie" })).toEqual({ mainApplication: "Harbor", way: "cookie" });
});

test("a provider's name, and that clusters need a token, are taken too", () => {
  const body = { mainApplication: "Harbor", way: "provider", signIn: { name: "Pier" }, clusterToken: "missing", renewInSeconds: 5 };
  expect(sessionInfoOf(body)).toEqual({ mainApplication: "Harbor", way: "provider", provider: "Pier", needsClusterToken: true });
  expect(sessionInfoOf({ ...body, clusterToken: "made", signIn: {} })).toEqual({ mainApplication: "Harbor", way: "provider" });
});

test("without a session there is no way", () => {
  expect(sessionInfoOf({ mainApplication: "Harbor", way: null })).toEqual({ mainApplication: "Harbor" });
});

test("an answer of another form says nothing", () => {
  expect(sessionInfoOf("<html>")).toEqual({ mainApplication: "" });
  expect(sessionInfoOf({ mainApplication: 7, way: "other" })).toEqual({ mainApplication: "" });
});
