import { request as httpRequest } from "node:http";

import { eventually } from "@binnacle/testing";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";

import { ScriptedGoAgent, type ScriptedGoAgentOptions } from "../testing/scripted-go-agent.ts";
import { startWholeKas, type WholeKas } from "./whole-kas.ts";

let kas: WholeKas;
beforeEach(async () => {
  kas = await startWholeKas();
});
afterEach(() => kas.stop());

/** A read by ann, who acts as a user. */
function status(): Promise<number> {
  const [host, port] = (kas.bound.k8sProxy ?? "").split(":");
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host, port, path: "/api", headers: { authorization: "Bearer pat:1:t" }, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end();
  });
}

async function connect(options: Omit<ScriptedGoAgentOptions, "token" | "early">): Promise<void> {
  const early = () => ({ status: 200, headers: { "content-length": "2" }, body: "{}" });
  const agent = await ScriptedGoAgent.connect(`grpc://${kas.bound.agent}`, { ...options, token: "agent-1", early });
  onTestFinished(() => agent.stop());
}

test.each([
  ["16.5.0", undefined, 200],
  ["14.1.1", undefined, 501],
  ["14.1.1", "v16.5.0", 200],
  ["14.1.1", "v14.2.0", 200],
  ["16.5.0", "v14.1.9", 501],
  ["16.5.0", "a build of ours", 501],
  ["16.5.0", "", 200],
] as const)(
  "T44: an agent with the user agent of %s and the AgentMeta version %j is given users' requests: %i",
  async (release, metaVersion, expected) => {
    await connect({ release, ...(metaVersion === undefined ? {} : { metaVersion }) });
    // Until AgentMeta has come the user agent decides.
    await eventually(async () => {
      const answered = await status();
      return answered === expected ? undefined : `kas answers ${answered}`;
    }, 30_000);
    expect(await status()).toBe(expected);
  },
);
