import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { secretOf, type Credential } from "../credential.ts";
import type { MainApplication, ViewerAccess } from "../main-application.ts";

/**
 * A main application with project "group/app", its environment "production" on agent 3 (of the same project) in namespace "prod", and users
 * "maintainer" and "developer", who are members of it.
 */
export interface ConformanceWorld {
  readonly application: MainApplication;
  /** A credential of a user. Two calls for one user give two credentials of the same sign-in, or two sign-ins. */
  credential(user: "maintainer" | "developer"): Credential;
  /** One that was never good, or belongs to another provider. */
  readonly unknown: readonly Credential[];
  /** From now on nothing of the user is accepted. */
  withdraw(user: "maintainer" | "developer"): Promise<void> | void;
  close(): Promise<void> | void;
}

const NAMES = { projectPath: "group/app", environment: "production" };
const signal = new AbortController().signal;

/** What every provider of the port does alike. Call it once in a test file. @param open a fresh world for each test */
export function mainApplicationConformance(open: () => Promise<ConformanceWorld>): void {
  describe("a provider of the main application", () => {
    let world: ConformanceWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const accessOf = (user: "maintainer" | "developer"): ViewerAccess => world.application.open({ credential: world.credential(user) });
    const doorOf = async (access: ViewerAccess) => {
      const { environment } = await access.environment(NAMES, signal);
      return { projectPath: "group/app", environmentNumber: environment.number, agentId: environment.agent?.id ?? 0n };
    };

    test("says whose credential it is, each time it answers", async () => {
      const identified: string[] = [];
      const access = world.application.open({
        credential: world.credential("maintainer"),
        identified: (username) => void identified.push(username),
      });
      expect((await access.viewer(signal)).username).toBe("maintainer");
      await access.projects(signal);
      expect(identified).toEqual(["maintainer", "maintainer"]);
    });

    test("throws what `identified` throws", async () => {
      const identified = (): void => {
        throw new Error("too many calls");
      };
      const access = world.application.open({ credential: world.credential("maintainer"), identified });
      await expect(access.viewer(signal)).rejects.toThrow("too many calls");
    });

    test("lists projects, environments and one environment of a member", async () => {
      const access = accessOf("developer");
      expect((await access.projects(signal)).projects.map(({ fullPath }) => fullPath)).toContain("group/app");
      const { environments } = await access.environments("group/app", signal);
      const { environment } = await access.environment(NAMES, signal);
      expect(environments).toContainEqual(environment);
      expect(environment).toMatchObject({
        projectPath: "group/app",
        number: expect.stringMatching(/^\d+$/),
        name: "production",
        tier: "production",
        state: "available",
        namespace: "prod",
        agent: { id: 3n, name: "demo", projectPath: "group/app" },
      });
    });

    test("an unknown project or environment is not found", async () => {
      const access = accessOf("maintainer");
      for (const unknown of [
        () => access.environment({ ...NAMES, environment: "none" }, signal),
        () => access.environment({ ...NAMES, projectPath: "group/none" }, signal),
        () => access.environments("group/none", signal),
      ])
        await expect(unknown()).rejects.toMatchObject({ reason: "not_found" });
    });

    test("what it cannot do is a capability, and no call of it fails for that", async () => {
      const access = accessOf("maintainer");
      const { commits, files } = world.application.capabilities;
      const file = await access.file({ project: "group/app", path: ".gitlab/none.yaml", mostBytes: 1_024 }, signal);
      expect(files || file.kind === "absent").toBe(true);
      expect(await access.commit({ project: "group/app", sha: "0123456789abcdef" }, signal)).toBeUndefined();
      const { environment } = await access.environment(NAMES, signal);
      expect(environment.deployment?.kind === "not-supported").toBe(!commits);
    });

    test("headers for kas name the agent and are the viewer's own", async () => {
      const [one, other] = [accessOf("maintainer"), accessOf("developer")];
      const headers = await one.kasHeaders(await doorOf(one), { renew: false, signal });
      expect(`${headers?.["authorization"] ?? ""} ${headers?.["gitlab-agent-id"] ?? ""}`).toMatch(/\b3\b/);
      expect(await other.kasHeaders(await doorOf(other), { renew: false, signal })).not.toEqual(headers);
    });

    test("the address of the client goes on to kas", async () => {
      const access = world.application.open({ credential: world.credential("maintainer"), clientAddress: "192.0.2.7" });
      expect(await access.kasHeaders(await doorOf(access), { renew: false, signal })).toMatchObject({ "x-forwarded-for": "192.0.2.7" });
    });

    test("T78: a credential has one name, which is no other's and does not show it", () => {
      const credential = world.credential("maintainer");
      const [one, again] = [world.application.open({ credential }), world.application.open({ credential })];
      expect(again.key).toBe(one.key);
      expect(accessOf("developer").key).not.toBe(one.key);
      expect(one.key).not.toContain(secretOf(credential).reveal());
    });

    test("T78: a credential that it does not know ends the session at every method", async () => {
      for (const credential of world.unknown) {
        const access = (): ViewerAccess => world.application.open({ credential });
        await expect((async () => access().viewer(signal))()).rejects.toMatchObject({ reason: "session_ended" });
        await expect((async () => access().environment(NAMES, signal))()).rejects.toMatchObject({ reason: "session_ended" });
      }
    });

    test("T78: a user who is removed is refused by what is open, and no other user is", async () => {
      const [gone, stays] = [accessOf("maintainer"), accessOf("developer")];
      await gone.viewer(signal);
      await world.withdraw("maintainer");
      await expect(gone.viewer(signal)).rejects.toMatchObject({ reason: "session_ended" });
      await expect(gone.environments("group/app", signal)).rejects.toMatchObject({ reason: "session_ended" });
      expect((await stays.viewer(signal)).username).toBe("developer");
    });
  });
}
