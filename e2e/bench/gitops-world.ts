import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { kubectl } from "../support/kubectl.ts";
import { logLines } from "../support/log-lines.ts";
import { ManifestClone } from "../support/manifest-clone.ts";
import { pushConfiguration } from "../support/push-configuration.ts";
import { Sandbox } from "../support/sandbox.ts";
import type { ManifestFiles } from "./gitops-manifests.ts";

/** Where the agent deploys to: an inventory of its own, apart from the demo's. */
const DEPLOYED = "bench-gitops";
/** Directory of the manifests in the repository. */
export const DIRECTORY = "bench";

/** What became of a commit. */
export interface Deployed {
  /** From the beginning of `git push` to agentk's word that the sync has ended. */
  readonly ms: number;
  /** What of that was the push itself: git, and the hook. */
  readonly pushMs: number;
  /** What of that was agentk's sync, from the first byte read to the last object applied. */
  readonly syncMs: number;
  readonly applied: number;
  readonly unchanged: number;
}

/** The product as `npm start` starts it, on a real control plane, with an agent that deploys one directory of the repository. */
export class GitopsWorld {
  readonly sandbox: Sandbox;
  readonly #clone: ManifestClone;

  private constructor(sandbox: Sandbox, clone: ManifestClone) {
    this.sandbox = sandbox;
    this.#clone = clone;
  }

  static async start(): Promise<GitopsWorld> {
    const sandbox = await Sandbox.start({ cluster: "real" });
    try {
      await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], ACCESS);
      await pushConfiguration(sandbox, (text) =>
        text
          .replace(/(manifest_projects:\n\s+- id: group\/app\n\s+default_namespace: )production/, `$1${DEPLOYED}`)
          .replace(/glob: .*/, `glob: /${DIRECTORY}/**/*.yaml`),
      );
      const repository = join(sandbox.endpoints.mainApplication.gitRoot, "group/app.git");
      return new GitopsWorld(sandbox, await ManifestClone.of(repository));
    } catch (error) {
      await sandbox.stop();
      throw error;
    }
  }

  /** Writes files without a push. */
  write(files: ManifestFiles): void {
    for (const [path, content] of files) this.#clone.write(path, content);
  }

  /** Takes a directory away without a push. */
  remove(directory: string): Promise<void> {
    return this.#clone.remove(directory);
  }

  /** Puts bytes into the repository that no glob matches and no compression makes less. */
  writeBallast(files: number, bytes: number): void {
    for (let index = 0; index < files; index += 1) this.#clone.write(`data/${index}.bin`, randomBytes(bytes / 2).toString("hex"));
  }

  /** Pushes what was written and waits until agentk has applied it and found it well. @throws when something was not applied */
  async deploy(): Promise<Deployed> {
    const startedMs = Date.now();
    const commit = await this.#clone.push("Deploy");
    const pushMs = Date.now() - startedMs;
    const ended = await this.#logged("sync ended", commit);
    if (ended["state"] !== "synced") throw new Error(`the sync ended otherwise: ${JSON.stringify(ended)}`);
    await this.#logged("manifests are reconciled", commit);
    return {
      ms: Date.parse(String(ended["time"])) - startedMs,
      pushMs,
      syncMs: Number(ended["duration_ms"]),
      applied: Number(ended["applied"]),
      unchanged: Number(ended["unchanged"]),
    };
  }

  /** Seldom, so that reading the log takes no time from those who are measured. */
  async #logged(message: string, commit: string): Promise<Readonly<Record<string, unknown>>> {
    const deadline = Date.now() + 300_000;
    while (Date.now() < deadline) {
      const found = logLines(this.sandbox, "agentk").find(({ msg, commit_id: id }) => msg === message && id === commit);
      if (found !== undefined) return found;
      await sleep(100);
    }
    throw new Error(`agentk has not logged "${message}" for ${commit} within five minutes`);
  }

  async stop(): Promise<void> {
    this.#clone.dispose();
    await this.sandbox.stop();
  }
}

/** Writes files into a directory, for kubectl. */
export function writeFiles(directory: string, files: ManifestFiles): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

const ACCESS = `apiVersion: v1
kind: Namespace
metadata: { name: ${DEPLOYED} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: agentk-gitops, namespace: ${DEPLOYED} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: agentk-gitops }
subjects: [{ kind: ServiceAccount, name: agentk, namespace: gitlab-agent }]
`;
