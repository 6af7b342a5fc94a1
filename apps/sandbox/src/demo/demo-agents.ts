import { fileURLToPath } from "node:url";

/** Folder with the files of group/app: manifests and the configuration of agent `demo`. */
export const DEMO_DIR = fileURLToPath(new URL("../../demo", import.meta.url));

/** An agent of the demo, and what it deploys from Git. */
export interface DemoAgent {
  readonly id: number;
  readonly name: string;
  readonly projectId: number;
  /** Name of its process, which its log, token and kubeconfig bear too. */
  readonly processName: string;
  /** In namespace `gitlab-agent`. */
  readonly serviceAccount: string;
  /** Folder with the files of its project. */
  readonly files: string;
  /** Directories of these that are applied before it is started. */
  readonly appliedBefore: readonly string[];
  /** The environment that it deploys, from a directory of its project. */
  readonly deploys: { readonly project: string; readonly environment: string; readonly directory: string };
  /** Directory with what controllers would say of that environment and the sandbox has none of. */
  readonly status: string | undefined;
}

/** Of the application project: production, staging and preview. */
const DEMO: DemoAgent = {
  id: 1,
  name: "demo",
  projectId: 1,
  processName: "agentk",
  serviceAccount: "agentk",
  files: DEMO_DIR,
  appliedBefore: ["manifests/cluster", "manifests/staging"],
  deploys: { project: "group/app", environment: "production", directory: "manifests/production" },
  status: "manifests/status",
};

/** Of the deployment project, in the same cluster: environment shop of the application project. */
const PLATFORM: DemoAgent = {
  id: 2,
  name: "platform",
  projectId: 3,
  processName: "agentk-platform",
  serviceAccount: "agentk-platform",
  files: fileURLToPath(new URL("../../demo-deploy", import.meta.url)),
  appliedBefore: ["manifests/cluster"],
  deploys: { project: "group/deploy", environment: "shop", directory: "manifests/shop" },
  status: undefined,
};

/** The first agents of the demo, as many as are wanted. */
export function demoAgents(count: number): readonly DemoAgent[] {
  return [DEMO, PLATFORM].slice(0, count);
}
