import { quoted, words } from "@binnacle/words";
import { expect, test } from "vitest";

import { KubeClientError, wordsOfFailure } from "./kube-client.ts";

test("T7: what a server says of a request is quoted without its credentials, and cut", () => {
  const webhook = 'failed calling webhook: Post "https://admin:hunter2@hook.example/": refused';
  expect(new KubeClientError("api", webhook).words).toEqual(
    quoted('failed calling webhook: Post "https://admin:*****@hook.example/": refused'),
  );
  expect(new KubeClientError("api", "x".repeat(1_000_000)).words).toEqual(quoted(`${"x".repeat(500)}…`));
});

test("what this program says of a request is an id and facts, and in English for logs", () => {
  const error = new KubeClientError("too_large", words("answer/too-long", { size: "16 MiB" }));
  expect(error.words).toEqual({ id: "answer/too-long", facts: { size: "16 MiB" } });
  expect(error.message).toBe("the answer is longer than 16 MiB");
});

test("whatever else is thrown is a connection that failed, and its text is for logs alone", () => {
  expect(wordsOfFailure(new Error("ECONNRESET 10.0.0.7:6443"))).toEqual(words("request/connection-failed"));
});
