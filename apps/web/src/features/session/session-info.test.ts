import { expect, test } from "vitest";
import { sessionInfoOf } from "./session-info.ts";

test("the name and the way are taken from the answer", () => {
  expect(sessionInfoOf({ mainApplication: "Harbor", way: "token" })).toEqual({
    mainApplication: "Harbor",
    way: "token",
    signIn: "provider",
  });
  expect(sessionInfoOf({ mainApplication: "Harbor", way: "oidc", signIn: "password" })).toEqual({
    mainApplication: "Harbor",
    way: "oidc",
    signIn: "password",
  });
});

test("without a session there is no way", () => {
  expect(sessionInfoOf({ mainApplication: "Harbor", way: null })).toEqual({ mainApplication: "Harbor", signIn: "provider" });
});

test("an answer of another form says nothing", () => {
  expect(sessionInfoOf("<html>")).toEqual({ mainApplication: "", signIn: "provider" });
  expect(sessionInfoOf({ mainApplication: 7, way: "other" })).toEqual({ mainApplication: "", signIn: "provider" });
});
