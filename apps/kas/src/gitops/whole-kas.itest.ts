import { Gitops } from "@binnacle/proto/gitops";
import { GitopsApi, GitopsReports } from "@binnacle/proto/kas-gitops";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startWholeKas, type WholeKas } from "../testing/whole-kas.ts";

let kas: WholeKas;
beforeAll(async () => {
  kas = await startWholeKas();
});
afterAll(() => kas.stop());

async function ask(paths: number): Promise<unknown> {
  const client = createClient(Gitops, createGrpcTransport({ baseUrl: `http://${kas.bound.agent}` }));
  const request = { projectId: "group/app", paths: Array.from({ length: paths }, (_, at) => ({ glob: `d${at}/*` })) };
  const messages = client.getObjectsToSynchronize(request, { headers: { authorization: "Bearer agent-1" } })[Symbol.asyncIterator]();
  return messages.next().catch((error: unknown) => error);
}

test("a kas as it is started serves manifests to agents, by the limits of its configuration", async () => {
  expect(await ask(101)).toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: "101 paths are more than 100 for one project (max_number_of_paths)",
  });
  const metrics = await kas.metrics.registry.metrics();
  expect(metrics).toContain("gitops_poll_interval_bucket");
  expect(metrics).toContain("kas_gitops_streams_open 0");
});

test("the main application reads what agents have reported on the API listener, with its token", async () => {
  const api = createClient(GitopsApi, createGrpcTransport({ baseUrl: `http://${kas.bound.api ?? ""}` }));
  const reports = createClient(GitopsReports, createGrpcTransport({ baseUrl: `http://${kas.bound.agent}` }));
  const piece = { case: "sync" as const, value: { project: "group/app", commitId: "c" } };
  await reports.reportSync(
    (async function* () {
      yield { piece };
    })(),
    { headers: { authorization: "Bearer agent-1" } },
  );
  expect(await api.listSyncs({ agentId: 1n }, { headers: { authorization: await kas.jwt() } })).toMatchObject({
    syncs: [{ project: "group/app", commitId: "c", projectId: 3n, author: "" }],
  });
  await expect(api.listSyncs({ agentId: 1n })).rejects.toMatchObject({ code: Code.Unauthenticated });
});
