import { StreamAutomaton } from "@binnacle/grpc-wire";
import { ConfigurationRequestSchema } from "@binnacle/proto/agent-configuration";
import { RegisterRequestSchema } from "@binnacle/proto/agent-registrar";
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import { boundedMeta } from "../agent-configuration/agent-services.ts";
import { MAKE_REQUEST } from "../agent-call/routed-methods.ts";
import { AnswerReader, type AnswerPart } from "../http-exchange/answer-reader.ts";
import { readRecording, type RecordedStream } from "../testing/recorded-traffic.ts";
import { RECORDED_USER_AGENT } from "../testing/user-agents.ts";
import { abilitiesOf } from "../agent-identity/agent-abilities.ts";
import { parseVersion, versionOfUserAgent } from "../agent-identity/agent-version.ts";
import { CONNECT_PATH, poolMaximumOf } from "../reverse-tunnel/reverse-tunnel-handler.ts";
import { acquireCapabilities } from "../reverse-tunnel/tunnel-descriptor.ts";
import { CONNECT_REQUEST_ORDER, decodeAgentFrame } from "../reverse-tunnel/tunnel-frames.ts";

const GET_CONFIGURATION = "/gitlab.agent.agent_configuration.rpc.AgentConfiguration/GetConfiguration";
const REGISTER = "/gitlab.agent.agent_registrar.rpc.AgentRegistrar/Register";

/** The parts of an answer, and whether the agent ended it in order. */
function readAnswer(stream: RecordedStream): AnswerPart[] {
  const reader = new AnswerReader("GET");
  const parts = stream.messages.flatMap((message) => {
    const frame = decodeAgentFrame(message);
    return frame.kind === "message" ? (reader.read(frame.data) ?? []) : [];
  });
  reader.end();
  return parts;
}

describe.each([
  { release: "14.1.1", version: [14, 1], commit: "00000000", pod: "go-14", abilities: [], answers: [200, 200, 200, 200, 200, 200, 201] },
  {
    release: "16.5.0",
    version: [16, 5],
    commit: "8daa08cc",
    pod: "go-165",
    abilities: ["impersonation", "reset", "upgrade"],
    answers: [200, 200, 200, 200, 200, 200, 201],
  },
] as const)("recorded bytes of agentk $release", ({ release, version, commit, pod, abilities, answers }) => {
  const streams = readRecording(`agentk-${release}.jsonl`).filter(({ from }) => from === "agentk");
  const of = (path: string): RecordedStream[] => streams.filter(({ headers }) => headers.get(":path") === path);

  test("the user agent is the same on every stream and gives the version", () => {
    const userAgents = new Set(streams.map(({ headers }) => headers.get("user-agent")));
    expect([...userAgents]).toEqual([RECORDED_USER_AGENT[release]]);
    expect(versionOfUserAgent(RECORDED_USER_AGENT[release])).toEqual(version);
  });

  test("abilities follow from the headers of a tunnel alone, and from AgentMeta alone", () => {
    const headers = Object.fromEntries(of(CONNECT_PATH)[0]?.headers ?? []);
    expect(abilitiesOf({ headers })).toEqual(abilities);
    expect(abilitiesOf({ headers: {}, metaVersion: [...version] })).toEqual(abilities);
    expect(poolMaximumOf(headers)).toBeUndefined();
  });

  test("the first stream is GetConfiguration, with the version in its AgentMeta", () => {
    expect(streams[0]?.headers.get(":path")).toBe(GET_CONFIGURATION);
    const { agentMeta } = fromBinary(ConfigurationRequestSchema, streams[0]?.messages[0] ?? new Uint8Array());
    expect(agentMeta && boundedMeta(agentMeta)).toMatchObject({
      version: `v${release}`,
      commitId: commit,
      podNamespace: "gitlab-agent",
      podName: pod,
    });
    expect(parseVersion(agentMeta?.version ?? "")).toEqual(version);
  });

  test("every stream has the token, gRPC's content type and gzip, and every message is compressed", () => {
    for (const { headers, compressed } of streams) {
      expect(headers.get("authorization")).toMatch(/^Bearer glagent-/);
      expect(headers.get("content-type")).toBe("application/grpc");
      expect(headers.get("grpc-encoding")).toBe("gzip");
      expect(compressed).not.toContain(false);
    }
  });

  test("tunnels begin with a descriptor, keep the order of frames, and carry whole answers", () => {
    const statuses: number[] = [];
    for (const stream of of(CONNECT_PATH)) {
      const order = new StreamAutomaton(CONNECT_REQUEST_ORDER);
      const frames = stream.messages.map((message) => decodeAgentFrame(message));
      for (const { field } of frames) order.check(field);
      const [first] = frames;
      if (first?.kind !== "descriptor") throw new Error("a tunnel begins with something else than a descriptor");
      const held = acquireCapabilities(first.descriptor);
      expect(held.methods.has(MAKE_REQUEST)).toBe(true);
      held.release();
      // Idle tunnels are reset at SIGTERM.
      expect(stream.end).toBe(frames.length === 1 ? "reset" : "ended");
      if (frames.length === 1) continue;
      order.end();
      expect(frames.slice(1).map(({ kind }) => kind)).toEqual(["header", ...frames.slice(2, -1).map(() => "message"), "trailer"]);
      const [head] = readAnswer(stream);
      if (head?.kind !== "header") throw new Error("an answer begins with something else than its header");
      statuses.push(head.status);
    }
    expect(statuses.toSorted((a, b) => a - b)).toEqual(answers);
  });
});

test("16.5.0 registers with AgentMeta and a pod id, 14.1.1 does not know the method", () => {
  const path = ({ headers }: RecordedStream): boolean => headers.get(":path") === REGISTER;
  expect(readRecording("agentk-14.1.1.jsonl").some(path)).toBe(false);
  const [register] = readRecording("agentk-16.5.0.jsonl").filter(path);
  const { agentMeta, podId } = fromBinary(RegisterRequestSchema, register?.messages[0] ?? new Uint8Array());
  expect(podId).toBe(2937221715145273024n);
  expect(agentMeta).toMatchObject({
    version: "v16.5.0",
    kubernetesVersion: { major: "1", minor: "36", gitVersion: "v1.36.3+sandbox", platform: "linux/amd64" },
  });
});
