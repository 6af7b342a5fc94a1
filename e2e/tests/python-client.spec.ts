// needs: control-plane, python-grpc
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";

interface Answer {
  readonly code: string;
  readonly message?: string;
  readonly answer?: {
    readonly agents?: readonly Record<string, unknown>[];
    readonly pods?: readonly { readonly namespace: string; readonly name: string }[];
    readonly nodes?: Record<string, unknown>;
    readonly summary?: { readonly health?: Record<string, unknown> };
  };
}

test("a Python client with a JWT reads agents and pods on the API listener, and nothing without one", async ({ sandbox }) => {
  const { kas, agents, apiJwtSecretFile, kubeconfigs } = sandbox.endpoints;
  const agent = pick(agents, (entry) => entry.name === "demo");
  const python = process.env["GRPC_PYTHON"] ?? "python3";
  const script = join(import.meta.dirname, "..", "python", "client.py");
  const protos = join(import.meta.dirname, "..", "..", "packages", "proto", "proto");
  const api = kas[0]?.api ?? "";
  const { stdout } = await promisify(execFile)(python, [script, api, apiJwtSecretFile, protos, agent.projectId, agent.id]);
  // The script is ours and prints exactly these keys.
  const answers = JSON.parse(stdout) as Record<string, Answer>;

  for (const key of ["by_project", "by_id"]) {
    expect(answers[key]?.code, key).toBe("OK");
    expect(answers[key]?.answer?.agents, key).toHaveLength(1);
    expect(answers[key]?.answer?.agents?.[0], key).toMatchObject({ id: agent.id, connected_at: expect.any(String) });
  }
  for (const key of ["tracker_by_agent", "tracker_by_project"]) {
    expect(answers[key]?.code, key).toBe("OK");
    expect(answers[key]?.answer?.agents?.[0], key).toMatchObject({ agent_id: agent.id, project_id: agent.projectId });
  }
  const direct = await kubectl(kubeconfigs.cluster, [
    "get",
    "pods",
    "-A",
    "-o",
    "jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name}{'\\n'}{end}",
  ]);
  const expected = direct.trim().split("\n").sort();
  const seen = (answers["pods"]?.answer?.pods ?? []).map((pod) => `${pod.namespace}/${pod.name}`).sort();
  expect(answers["pods"]?.code).toBe("OK");
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual(expected);
  const nodes = await kubectl(kubeconfigs.cluster, ["get", "nodes", "-o", "name"]);
  expect(answers["nodes"]).toMatchObject({ code: "OK", answer: { nodes: { count: nodes.trim().split("\n").length } } });
  expect(answers["summary"]).toMatchObject({ code: "OK", answer: { summary: { health: { status: "HEALTH_STATUS_HEALTHY" } } } });
  for (const key of ["no_token", "expired", "wrong_audience", "without_expiry"]) expect(answers[key]?.code, key).toBe("UNAUTHENTICATED");
});
