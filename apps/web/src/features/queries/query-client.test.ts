import { ListProjectsResponseSchema } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { dehydrate, hydrate, type DehydratedState } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createQueryClient } from "./query-client.ts";
import { queryKeys } from "./query-keys.ts";

const ANSWER = create(ListProjectsResponseSchema, { projects: [{ fullPath: "group/app", name: "App" }], viewer: { username: "mara" } });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is left of a state in HTML. */
function asHtml(state: DehydratedState): unknown {
  return JSON.parse(JSON.stringify(state));
}

describe("queries", () => {
  test("answers of the server are in the HTML as text, and messages again in the browser, without another question", async () => {
    const server = createQueryClient();
    server.setQueryData(queryKeys.projects, ANSWER);
    server.setQueryData(queryKeys.session, { mainApplication: "Harbor" });
    const browser = createQueryClient();
    hydrate(browser, asHtml(dehydrate(server)) as DehydratedState);
    expect(browser.getQueryData(queryKeys.projects)).toEqual(ANSWER);
    expect(browser.getQueryData(queryKeys.session)).toEqual({ mainApplication: "Harbor" });
    const fetchAnswer = vi.fn<() => Promise<typeof ANSWER>>(() => Promise.resolve(ANSWER));
    await browser.prefetchQuery({ queryKey: queryKeys.projects, queryFn: fetchAnswer });
    expect(fetchAnswer).not.toHaveBeenCalled();
  });

  test("what failed on the server is not in the HTML, nor is why", async () => {
    const server = createQueryClient();
    const failing = server.prefetchQuery({
      queryKey: queryKeys.projects,
      queryFn: () => Promise.reject(new ConnectError("canary", Code.PermissionDenied)),
    });
    await vi.advanceTimersByTimeAsync(10);
    await failing;
    expect(asHtml(dehydrate(server))).toEqual({ mutations: [], queries: [] });
  });

  test.each([
    [Code.Unavailable, 4],
    [Code.ResourceExhausted, 4],
    [Code.Unknown, 4],
    [Code.Unauthenticated, 1],
    [Code.PermissionDenied, 1],
    [Code.NotFound, 1],
    [Code.InvalidArgument, 1],
  ])("a query that failed with code %i is sent %i times", async (code, times) => {
    const ask = vi.fn<() => Promise<never>>(() => Promise.reject(new ConnectError("no", code)));
    const asking = createQueryClient().prefetchQuery({ queryKey: queryKeys.viewer, queryFn: ask });
    await vi.advanceTimersByTimeAsync(60_000);
    await asking;
    expect(ask).toHaveBeenCalledTimes(times);
  });

  test("the end of a session is reported once, whatever was queried, and so is a new session", async () => {
    const news: string[] = [];
    const client = createQueryClient({ ended: () => news.push("ended"), alive: () => news.push("alive") });
    await client.prefetchQuery({
      queryKey: queryKeys.viewer,
      queryFn: () => Promise.reject(new ConnectError("over", Code.Unauthenticated)),
    });
    expect(news).toEqual(["ended"]);
    await client.prefetchQuery({ queryKey: queryKeys.viewer, queryFn: () => Promise.resolve("mara") });
    expect(news).toEqual(["ended", "alive"]);
  });

  test("clients share nothing: no user meets another's answers", () => {
    createQueryClient().setQueryData(queryKeys.viewer, "ann");
    expect(createQueryClient().getQueryData(queryKeys.viewer)).toBeUndefined();
  });
});
