import { HealthStatus, ProblemKind } from "@binnacle/proto/dashboard";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { NAMES } from "./testing/dashboard-tab.ts";
import { ORIGIN } from "./config/testing/stand-in-config.ts";
import { DashboardWorld } from "./testing/dashboard-world.ts";
import { pod } from "./testing/pod.ts";

let world: DashboardWorld;

beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "developer", "outsider"]);
  world.start();
});

afterEach(() => world.close());

describe("the other calls", () => {
  test("GetResource gives YAML, conditions and events, and masks a Secret", async () => {
    world.kas.put("secrets", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", managedFields: [{}] },
      data: { password: "c2VjcmV0" },
    });
    world.kas.put("pods", pod("p"));
    world.kas.put("events", {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e" },
      type: "Warning",
      reason: "Failed",
      message: "no image",
      count: 3,
      lastTimestamp: "2026-01-01T00:00:00Z",
    });
    const client = world.clientWith("_gitlab_session=session-maintainer");
    const secret = await client.getResource({
      ...NAMES,
      ref: { version: "v1", kind: "Secret", resource: "secrets", namespace: "prod", name: "s" },
    });
    expect(secret.yaml).toContain("password:");
    expect(secret.yaml).not.toMatch(/c2VjcmV0|managedFields/);
    const detail = await client.getResource({
      ...NAMES,
      ref: { version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "p" },
    });
    expect(detail.conditions).toMatchObject([{ type: "Ready", status: "True" }]);
    expect(detail.events).toMatchObject([{ reason: "Failed", count: 3 }]);
  });

  test("GetResource refuses other namespaces, the outsider and what does not exist, each with its own code", async () => {
    const ref = { version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "p" };
    const maintainer = world.clientWith("_gitlab_session=session-maintainer");
    await expect(maintainer.getResource({ ...NAMES, ref: { ...ref, namespace: "kube-system" } })).rejects.toMatchObject({
      code: Code.NotFound,
    });
    await expect(maintainer.getResource({ ...NAMES, ref })).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: 'pods "p" not found',
    });
    await expect(world.clientWith("_gitlab_session=session-outsider").getResource({ ...NAMES, ref })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    await expect(world.clientWith("").getResource({ ...NAMES, ref })).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  test("ListProjects names the viewer and the projects", async () => {
    expect(await world.clientWith("_gitlab_session=session-developer").listProjects({})).toMatchObject({
      viewer: { username: "developer" },
      projects: [{ fullPath: "group/app" }],
    });
  });

  test("WatchEnvironments gives rows with numbers, and a row without for who may not see", async () => {
    world.kas.put("deployments", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", generation: 1 },
      spec: { replicas: 1 },
      status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
    });
    for await (const { rows } of world
      .clientWith("_gitlab_session=session-maintainer")
      .watchEnvironments({ projectPath: "group/app" }, { signal: world.signal })) {
      const [row] = rows;
      if (row?.health === undefined || row.workloads === 0) continue;
      expect(row).toMatchObject({
        environment: { name: "production" },
        workloads: 1,
        workloadsReady: 1,
        health: { status: HealthStatus.HEALTHY },
      });
      break;
    }
    for await (const { rows } of world
      .clientWith("_gitlab_session=session-outsider")
      .watchEnvironments({ projectPath: "group/app" }, { signal: world.signal })) {
      if (rows[0]?.problem === undefined) continue;
      expect(rows[0].problem.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
      break;
    }
  });

  test("T8: a foreign page gets nothing, whatever cookie its visitor has", async () => {
    const cookie = "_gitlab_session=session-maintainer";
    await expect(world.clientWith(cookie, { origin: "http://evil.example" }).listProjects({})).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    expect(world.main.requests).toEqual([]);
  });
});

describe("token sessions", () => {
  test("the cookie tells nothing of the token, and signing out ends it", async () => {
    const cookie = await world.tokenCookie("developer");
    expect(cookie).not.toContain("glpat");
    expect(await world.bff.sessionName(cookie)).toMatch(/^[\w-]{43}$/);
    const out = await world.bff.session(
      new Request(`${ORIGIN}/api/session/token`, { method: "DELETE", headers: { cookie, origin: ORIGIN } }),
    );
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()).toEqual(["_binnacle_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"]);
    expect(await world.bff.sessionName(cookie)).toBeUndefined();
  });

  test("an unknown token is 401, a malformed body 400, a foreign origin 403", async () => {
    const post = async (body: string, origin = ORIGIN): Promise<number> =>
      (await world.bff.session(new Request(`${ORIGIN}/api/session/token`, { method: "POST", body, headers: { origin } }))).status;
    expect(await post('{"token":"glpat-nobody"}')).toBe(401);
    expect(await post('{"token":"a\\r\\nb"}')).toBe(400);
    expect(await post("token")).toBe(400);
    expect(await post('{"token":"glpat-developer"}', "http://evil.example")).toBe(403);
  });

  test("signs in by a form without scripts and returns to a path of our own only", async () => {
    const body = new URLSearchParams({ token: "glpat-developer", return_to: "//evil.example/" });
    const answer = await world.bff.session(
      new Request(`${ORIGIN}/api/session/token`, { method: "POST", body, headers: { origin: ORIGIN } }),
    );
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/");
    expect(answer.headers.get("set-cookie")).toMatch(/^_binnacle_session=1\.[\w.-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
  });
});
