import { ListProjectsResponseSchema } from "@binnacle/proto/dashboard";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";

import { inProcessCalls, provideInProcess } from "./in-process.ts";
import type { InProcessHandler } from "./wire/in-process-handler.ts";

const ANSWER = toBinary(ListProjectsResponseSchema, create(ListProjectsResponseSchema, { viewer: { username: "mara" } }));

afterEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for("binnacle.in-process"));
});

/** Answers every call alike. @returns the calls that it received */
function provide(): Parameters<InProcessHandler>[] {
  const received: Parameters<InProcessHandler>[] = [];
  provideInProcess((...call) => {
    received.push(call);
    return Promise.resolve(new Response(new Uint8Array(ANSWER), { headers: { "content-type": "application/proto" } }));
  });
  return received;
}

test("a call of a page bears cookie and address of its request, and nothing else that the client sent", async () => {
  const received = provide();
  const headers = new Headers({ cookie: "a=1", "x-forwarded-for": "192.0.2.7", authorization: "Bearer x", origin: "http://evil.example" });
  const answer = await inProcessCalls(headers)?.dashboard.listProjects({});
  expect(answer?.viewer?.username).toBe("mara");
  const [url, request] = received[0] ?? [];
  expect(url).toBe("http://in-process.invalid/api/rpc/dashboard.v1.Dashboard/ListProjects");
  expect([...(request?.headers ?? [])].filter(([name]) => !/^(?:connect|content|user-agent)/.test(name))).toEqual([
    ["cookie", "a=1"],
    ["x-forwarded-for", "192.0.2.7"],
  ]);
});

test("calls of two requests at once bear each their own cookie", async () => {
  const received = provide();
  const calls = ["ann", "bob"].map((user) => inProcessCalls(new Headers({ cookie: user })));
  await Promise.all([...calls, ...calls].map(async (each) => each?.dashboard.listProjects({})));
  expect(received.map(([, { headers }]) => headers.get("cookie"))).toEqual(["ann", "bob", "ann", "bob"]);
});

test("a cancelled call is cancelled in the handler", async () => {
  provideInProcess(
    (_url, { signal }) => new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("left")))),
  );
  const left = new AbortController();
  const call = inProcessCalls(new Headers())?.dashboard.listProjects({}, { signal: left.signal });
  setImmediate(() => left.abort());
  await expect(call).rejects.toMatchObject({ code: Code.Canceled });
});

test("without a provided handler pages are rendered without data", () => {
  expect(inProcessCalls(new Headers({ cookie: "a=1" }))).toBeUndefined();
});
