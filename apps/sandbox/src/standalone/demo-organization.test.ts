import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { OrganizationFiles, verifyPassword } from "@binnacle/organization";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { expect, test } from "vitest";

import { readManifests } from "../cluster/manifest.ts";
import { DEMO_DIR } from "../demo/demo-agents.ts";
import { createDemoSeed } from "../demo/demo-seed.ts";
import { World } from "../main-application/world.ts";
import { bindingsOf, demoOrganization } from "./demo-organization.ts";

test("the demo's organization is one that kas and the dashboard can use, and holds no password and no token", async () => {
  const seed = createDemoSeed({ foreignCluster: false, colleagues: 0, agents: 1 });
  const [maintainer] = seed.users;
  if (maintainer === undefined) throw new Error("the demo has users");
  const text = await demoOrganization(new World({ ...seed, users: [maintainer] }));
  for (const secret of [maintainer.password, maintainer.personalAccessToken, seed.agents[0]?.token]) expect(text).not.toContain(secret);
  const folder = mkdtempSync(join(tmpdir(), "demo-organization-"));
  writeFileSync(join(folder, "organization.yaml"), text);
  const files = await OrganizationFiles.open({ path: folder, clock: systemClock, log: createLogger("test", "silent") });
  try {
    const user = files.current.user("maintainer");
    expect(await verifyPassword(maintainer.password, user?.password)).toBe(true);
    const [project] = files.current.projectsOf({ name: "maintainer", groups: user?.groups ?? [] });
    expect(project?.environments.map(({ name }) => name)).toContain("production");
    expect(files.current.accessTo(1, { name: "maintainer", groups: user?.groups ?? [] })).toBe("user");
    expect(files.current.userOfToken(maintainer.personalAccessToken, 0)?.name).toBe("maintainer");
  } finally {
    files.close();
    rmSync(folder, { recursive: true });
  }
});

test("groups of the organization get what the demo grants to roles of its project, and no more", () => {
  const bindings = bindingsOf(readManifests(join(DEMO_DIR, "manifests/cluster"), new Date()));
  expect(bindings.map(({ object }) => [object["roleRef"], object["subjects"]])).toEqual([
    [expect.objectContaining({ name: "view" }), [expect.objectContaining({ name: "oidc:group:developers" })]],
    [expect.objectContaining({ name: "edit" }), [expect.objectContaining({ name: "oidc:group:maintainers" })]],
    [expect.objectContaining({ name: "debug-containers" }), [expect.objectContaining({ name: "oidc:group:maintainers" })]],
  ]);
});
