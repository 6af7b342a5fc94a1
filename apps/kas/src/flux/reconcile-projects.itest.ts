import { createClient, type ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { GitLabFlux } from "@binnacle/proto/flux";
import { Fault } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { agentContextOf } from "../agent-identity/agent-context.ts";
import { PushNotices } from "../gitaly/push-notices.ts";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";
import type { ProjectInfo } from "../main-application/project-info-lookup.ts";
import { startTestKas, testAuthenticator, type TestKas } from "../kas-routing/testing/kas-bench.ts";
import { reconcileProjects } from "./reconcile-projects.ts";

let kas: TestKas;
let clock: ManualClock;
let pushes: PushNotices;
/** Projects that agents may read. */
let readable: Set<string>;
let checked: string[];
/** Listeners that stand. */
let listening: number;
const leave: AbortController[] = [];

beforeEach(async () => {
  clock = new ManualClock();
  pushes = new PushNotices();
  readable = new Set(["group/app", "group/other"]);
  checked = [];
  listening = 0;
  const routes = reconcileProjects({
    authenticator: testAuthenticator,
    projects: {
      project: async ({ project }) => {
        checked.push(project);
        if (!readable.has(project)) throw new Fault("not_found", "not found");
        // Nothing of it is read.
        return {} as ProjectInfo;
      },
    },
    pushes: {
      onPush: (path, listener) => {
        listening += 1;
        const stop = pushes.onPush(path, listener);
        return () => {
          listening -= 1;
          stop();
        };
      },
    },
    clock,
    log: createLogger("test", "silent"),
    maxAgeMs: 60_000,
  });
  kas = await startTestKas({ connectHandler: createTypedHandler({ routes, readMaxBytes: 64 * 1024, contextValues: agentContextOf }) });
});
afterEach(async () => {
  for (const each of leave.splice(0)) each.abort();
  await kas.stop();
});

/** The projects that an agent got, and the end of its stream. */
function follow(ids: readonly string[], token = "agent-1") {
  const client = createClient(GitLabFlux, createGrpcTransport({ baseUrl: kas.agentUrl.replace("grpc:", "http:") }));
  const heard: string[] = [];
  const left = new AbortController();
  leave.push(left);
  const read = async (): Promise<string> => {
    const options = { headers: { authorization: `Bearer ${token}` }, signal: left.signal };
    for await (const { project } of client.reconcileProjects({ project: ids.map((id) => ({ id })) }, options))
      heard.push(project?.id ?? "");
    return "end";
  };
  const ended = read().catch((error: ConnectError) => error.metadata.get("binnacle-reason") ?? error.rawMessage);
  return { heard, ended, left };
}

test("an agent is notified of each push to a project that it requested and may read, and of no other", async () => {
  const flux = follow(["group/app", "group/other", "group/secret"]);
  await until(() => listening === 3);
  for (const path of ["group/secret", "group/unasked", "group/other", "group/app"]) pushes.pushed(path);
  await until(() => flux.heard.length === 2);
  pushes.pushed("group/app");
  await until(() => flux.heard.length === 3);
  expect(flux.heard.toSorted()).toEqual(["group/app", "group/app", "group/other"]);
  expect(checked).not.toContain("group/unasked");
  flux.left.abort();
  await until(() => listening === 0);
});

test("T43: a stream ends after its age, and a project that is requested twice is one", async () => {
  const flux = follow(["group/app", "group/app"]);
  await until(() => listening === 1);
  await settle();
  clock.advance(60_000);
  expect(await flux.ended).toBe("end");
  expect(listening).toBe(0);
  clock.assertIdle();
});

test("T43: streams of an agent and projects of a request are bounded, and a bad token has none", async () => {
  const many = Array.from({ length: 10 }, () => follow(["group/app"]));
  await until(() => listening === 10);
  expect(await follow(["group/app"]).ended).toBe("queue_full");
  follow(["group/app"], "agent-2");
  await until(() => listening === 11);
  many[0]?.left.abort();
  await until(() => listening === 10);
  expect(await follow(Array.from({ length: 1_001 }, (_, index) => `p${index}`)).ended).toBe("invalid_request");
  expect(await follow([""]).ended).toBe("invalid_request");
  expect(await follow(["group/app"], "unknown").ended).toBe("token_unknown");
});
