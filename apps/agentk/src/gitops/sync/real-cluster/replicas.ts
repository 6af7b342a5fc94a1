import { until } from "@binnacle/testing";
import { describe, expect, test } from "vitest";

import { FakeKas, type FakeObjectsStream } from "../../../testing/fake-kas.ts";
import { runAgent, type RunningAgent } from "../../../whole-agent/running-agent.ts";
import { maps } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

describe("the agent", () => {
  let kas: FakeKas;
  let agent: RunningAgent;

  async function start(): Promise<RunningAgent> {
    return runAgent(`grpc://127.0.0.1:${kas.port}`, bench.access(), { podNamespace: bench.namespace });
  }

  async function configure(): Promise<void> {
    const manifestProjects = [{ id: "group/manifests", defaultNamespace: bench.namespace, prunePropagationPolicy: "background" }];
    (await kas.configuration()).send({ commitId: "conf", configuration: { agentId: 5n, gitops: { manifestProjects } } });
  }

  function sendCommit(stream: FakeObjectsStream, text: string, commitId: string): void {
    stream.send({ case: "header", value: { commitId, projectId: 7n } });
    for (const piece of [text.slice(0, 10), text.slice(10)])
      stream.send({ case: "object", value: { source: "all.yaml", data: Buffer.from(piece) } });
    stream.send({ case: "trailer", value: {} });
    stream.end();
  }

  test("applies the commits of a project, resumes at the last one, throws away a stream without its end; a second replica waits its turn", async () => {
    kas = await FakeKas.listen();
    agent = await start();
    await configure();
    const first = await kas.objects();
    expect(first.request).toMatchObject({ projectId: "group/manifests", commitId: "", paths: [{ glob: "**/*.{yaml,yml,json}" }] });
    first.send({ case: "header", value: { commitId: "half", projectId: 7n } });
    first.end();
    const second = await kas.objects();
    expect(second.request.commitId).toBe("");
    sendCommit(second, maps("a", "b"), "c1");
    const third = await kas.objects();
    expect(third.request.commitId).toBe("c1");
    await until(() => agent.lines.includes("info: sync ended"));
    expect((await bench.seen()).live).toEqual(["a", "b"]);
    const other = await start();
    await configure();
    sendCommit(third, maps("a"), "c2");
    const fourth = await kas.objects();
    await until(() => agent.lines.filter((line) => line === "info: sync ended").length === 2);
    expect((await bench.seen()).live).toEqual(["a"]);
    expect(other.lines).not.toContain("info: this replica applies manifests");
    await agent.stop();
    fourth.end({ code: 1, message: "gone" });
    agent = other;
    const fifth = await kas.objects();
    expect(other.lines).toContain("info: this replica applies manifests");
    sendCommit(fifth, maps("a", "c"), "c3");
    await until(() => agent.lines.includes("info: sync ended"));
    expect((await bench.seen()).live).toEqual(["a", "c"]);
    await agent.stop();
    await kas.close();
  });
});
