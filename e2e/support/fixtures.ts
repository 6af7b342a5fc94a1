import { test as base } from "@playwright/test";

import { MUTABLE_SANDBOX_FLAGS } from "./own-environment.ts";
import { Sandbox, type SandboxOptions } from "./sandbox.ts";

/**
 * `sandbox`: one for all tests that a worker runs, whatever their file; `mutableSandbox`: another one for all of them, with two agents. Its tests
 * change the environment of their own file (own-environment.ts), kill programs, and restore what else they change;
 * `startSandbox`: further ones, with flags, ended after the test.
 */
export const test = base.extend<
  { readonly startSandbox: (flags: readonly string[]) => Promise<Sandbox> },
  { readonly cluster: SandboxOptions["cluster"]; readonly sandbox: Sandbox; readonly mutableSandbox: Sandbox }
>({
  cluster: ["embedded", { option: true, scope: "worker" }],
  sandbox: [
    async ({ cluster }, use) => {
      const sandbox = await Sandbox.start({ cluster, flags: ["--restart", "1"] });
      await use(sandbox);
      await sandbox.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  mutableSandbox: [
    async ({ cluster }, use) => {
      const sandbox = await Sandbox.start({ cluster, flags: MUTABLE_SANDBOX_FLAGS });
      await use(sandbox);
      await sandbox.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  startSandbox: async ({ cluster }, use) => {
    const started: Sandbox[] = [];
    await use(async (flags) => {
      // A foreign cluster takes the place of a sandbox's own, whichever that would be.
      const sandbox = await Sandbox.start({ cluster: flags.includes("--kubeconfig") ? "embedded" : cluster, flags });
      started.push(sandbox);
      return sandbox;
    });
    for (const sandbox of started) await sandbox.stop();
  },
});

export { expect } from "@playwright/test";
