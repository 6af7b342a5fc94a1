import { Gitops } from "@binnacle/proto/gitops";
import { GitopsApi, GitopsReports } from "@binnacle/proto/kas-gitops";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { createLogger } from "@binnacle/telemetry";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startGitaly, type FakeGitaly } from "../testing/fake-gitaly.ts";
import { TestRepository } from "../testing/test-repository.ts";
import { startWholeKas, type WholeKas } from "./whole-kas.ts";

const MIB = 1024 * 1024;

let kas: WholeKas;
let gitaly: FakeGitaly;
const repository = new TestRepository();
beforeAll(async () => {
  gitaly = await startGitaly(repository.root);
  kas = await startWholeKas(createLogger("test", "silent"), { address: gitaly.address, relativePath: repository.relativePath });
});
afterAll(async () => {
  await kas.stop();
  gitaly.close();
  repository.remove();
});

/** Which files came, and how many bytes; or the failure. */
async function ask(...globs: readonly string[]): Promise<unknown> {
  const client = createClient(Gitops, createGrpcTransport({ baseUrl: `http://${kas.bound.agent}` }));
  const request = { projectId: "group/app", paths: globs.map((glob) => ({ glob })) };
  const files = new Set<string>();
  let bytes = 0;
  try {
    for await (const { message } of client.getObjectsToSynchronize(request, { headers: { authorization: "Bearer agent-1" } })) {
      if (message.case !== "object") continue;
      files.add(message.value.source);
      bytes += message.value.data.length;
    }
    return { files: files.size, bytes };
  } catch (error) {
    return error;
  }
}

test("a kas as it is started serves manifests to agents, by the limits of its configuration", async () => {
  expect(await ask(...Array.from({ length: 101 }, (_, at) => `d${at}/*`))).toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: "101 paths are more than 100 for one project (max_number_of_paths)",
  });
  const metrics = await kas.metrics.registry.metrics();
  expect(metrics).toContain("gitops_poll_interval_bucket");
  expect(metrics).toContain("kas_gitops_streams_open 0");
});

test("the limits of the contract hold to the file and to the byte, and the one that is passed is named", async () => {
  const some = (count: number, bytes: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${String(at).padStart(4, "0")}.yaml`, "x".repeat(bytes)]));
  const below = (directory: string, files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`${directory}/${path}`, content]));
  repository.push({
    ...below("many", some(1_000, 1)),
    ...below("more", some(1_001, 1)),
    ...below("large", some(4, 5 * MIB)),
    ...below("larger", some(1, 5 * MIB + 1)),
    ...below("all", { ...some(4, 5 * MIB), "9.yaml": "x" }),
  });
  expect(await ask("many/*")).toEqual({ files: 1_000, bytes: 1_000 });
  expect(await ask("large/*")).toEqual({ files: 4, bytes: 20 * MIB });
  expect(kas.usage()).toMatchObject({ gitops_sync_count: 2 });
  const refused = (rawMessage: string) => expect.objectContaining({ code: Code.FailedPrecondition, rawMessage });
  expect(await ask("more/*")).toEqual(refused("more than 1000 files match (max_number_of_files), more/1000.yaml is one more"));
  expect(await ask("larger/*")).toEqual(refused("larger/0000.yaml has 5242881 bytes, more than 5242880 (max_manifest_file_size)"));
  expect(await ask("all/*")).toEqual(refused("with all/9.yaml there are more than 20971520 bytes (max_total_manifest_file_size)"));
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
