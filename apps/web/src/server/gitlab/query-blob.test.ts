import { Fault } from "@binnacle/rpc";
import { expect, test } from "vitest";

import { queryBlob } from "./query-blob.ts";

const never = new AbortController().signal;
const QUESTION = { project: "group/app", path: "a.yaml", ref: "abc", mostBytes: 10 };

function read(answer: unknown, over: object = {}) {
  const graphql = async () => (answer instanceof Error ? Promise.reject(answer) : answer);
  return queryBlob({ graphql }, { ...QUESTION, ...over }, never);
}

const nodes = (...of: unknown[]) => ({ project: { repository: { blobs: { nodes: of } } } });

test.each<[string, unknown, string]>([
  ["a text", nodes({ path: "a.yaml", size: "4", rawTextBlob: "a: 1" }), "text"],
  ["an empty text", nodes({ path: "a.yaml", size: "0", rawTextBlob: "" }), "text"],
  ["no file", nodes(), "absent"],
  ["another file", nodes({ path: "b.yaml", size: "4", rawTextBlob: "b: 1" }), "forbidden"],
  ["no project", { project: null }, "forbidden"],
  ["no repository", { project: { repository: null } }, "forbidden"],
  ["a file that says it is large", nodes({ path: "a.yaml", size: "11", rawTextBlob: "a: 1" }), "too-large"],
  ["a file that is larger than it says", nodes({ path: "a.yaml", size: "4", rawTextBlob: "a: 1 or more" }), "too-large"],
  ["a file of few characters and many bytes", nodes({ path: "a.yaml", size: "4", rawTextBlob: "ääääää" }), "too-large"],
  ["bytes", nodes({ path: "a.yaml", size: "4", rawTextBlob: null }), "binary"],
  ["more than is read", new Fault("message_too_large", "too large"), "too-large"],
])("%s", async (_title, answer, kind) => {
  expect(await read(answer)).toMatchObject({ kind });
});

test("an answer of an unknown shape counts as no answer", async () => {
  await expect(read({ project: { repository: { blobs: { nodes: 3 } } } })).rejects.toMatchObject({
    reason: "main_application_unavailable",
  });
  await expect(read(new Fault("session_ended", "sign in again"))).rejects.toMatchObject({ reason: "session_ended" });
});

test("the commit is queried only where there is one", async () => {
  const queries: unknown[] = [];
  const graphql = async (query: string, variables: Readonly<Record<string, unknown>>) => {
    queries.push([query.includes("$ref"), variables]);
    return nodes();
  };
  await queryBlob({ graphql }, QUESTION, never);
  const { ref: _, ...atHead } = QUESTION;
  await queryBlob({ graphql }, atHead, never);
  expect(queries).toEqual([
    [true, { project: "group/app", paths: ["a.yaml"], ref: "abc" }],
    [false, { project: "group/app", paths: ["a.yaml"] }],
  ]);
});
