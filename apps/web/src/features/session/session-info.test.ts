import { expect, test } from "vitest";
import { sessionInfoOf } from "./session-info.ts";

test("the name and the way are taken from the answer", () => {
  expect(sessionInfoOf({ mainApplication: "Harbor", way: "token" })).toEqual({
    mainApplication: "Harbor",
    way: "token",
    signIn: "provider",
    hasTokens: true,
  });
  expect(sessionInfoOf({ mainApplication: "Harbor", way: "password", signIn: "password" })).toEqual({
    mainApplication: "Harbor",
    way: "password",
    signIn: "password",
    hasTokens: false,
  });
});

test("a provider's name, and that clusters need a token, are taken too", () => {
  const body = { mainApplication: "Harbor", way: "provider", signIn: { name: "Pier" }, clusterToken: "missing", renewInSeconds: 5 };
  expect(sessionInfoOf(body)).toEqual({
    mainApplication: "Harbor",
    way: "provider",
    signIn: "provider",
    hasTokens: true,
    provider: "Pier",
    needsClusterToken: true,
  });
  const made = { mainApplication: "Harbor", way: "provider", signIn: "provider" };
  expect(sessionInfoOf({ ...body, clusterToken: "made", signIn: {} })).toEqual({ ...made, hasTokens: true });
  expect(sessionInfoOf({ ...body, clusterToken: "made", signIn: { tokens: false } })).toEqual({ ...made, hasTokens: false });
});

test("without a session there is no way", () => {
  expect(sessionInfoOf({ mainApplication: "Harbor", way: null })).toEqual({
    mainApplication: "Harbor",
    signIn: "provider",
    hasTokens: true,
  });
});

test("an answer of another form says nothing", () => {
  expect(sessionInfoOf("<html>")).toEqual({ mainApplication: "", signIn: "provider", hasTokens: true });
  expect(sessionInfoOf({ mainApplication: 7, way: "other" })).toEqual({ mainApplication: "", signIn: "provider", hasTokens: true });
});
