import { fileURLToPath } from "node:url";

/** Folder with the files of group/app: manifests and the configuration of agent `demo`. */
export const DEMO_DIR = fileURLToPath(new URL("../../demo", import.meta.url));

/** An environment, and the directory of manifests from which it is deployed. */
interface DeployedEnvironment {
  readonly environment: string;
  readonly directory: string;
  /** Directory with what controllers would say of it that the sandbox does not have. */
  readonly status?: string;
}

/** An agent of the demo, and what it deploys from Git. */
export interface DemoAgent {
  readonly id: number;
  readonly name: string;
  readonly projectId: number;
  /** Name of its process, which its log, token and kubeconfig bear too. */
  readonly processName: string;
  /** In namespace `gitlab-agent`. */
  readonly serviceAccount: string;
  /** Of which it is, and from which it deploys: "group/app". */
  readonly project: string;
  /** Folder with the files of that project. */
  readonly files: string;
  /** Directories of these that are applied before it is started. */
  readonly appliedBefore: readonly string[];
  readonly deploys: readonly DeployedEnvironment[];
}

/** Of the application project: production, staging and preview. */
const DEMO: DemoAgent = {
  id: 1,
  name: "demo",
  projectId: 1,
  processName: "agentk",
  serviceAccount: "agentk",
  project: "group/app",
  files: DEMO_DIR,
  appliedBefore: ["manifests/cluster", "manifests/staging"],
  deploys: [{ environment: "production", directory: "manifests/production", status: "manifests/status" }],
};

/** Of the deployment project, in the same cluster: an environment of each application project. */
const PLATFORM: DemoAgent = {
  id: 2,
  name: "platform",
  projectId: 3,
  processName: "agentk-platform",
  serviceAccount: "agentk-platform",
  project: "group/deploy",
  files: fileURLToPath(new URL("../../demo-deploy", import.meta.url)),
  appliedBefore: ["manifests/cluster"],
  deploys: [
    { environment: "shop", directory: "manifests/shop" },
    { environment: "site", directory: "manifests/site" },
  ],
};

/** The first agents of the demo, as many as are wanted. */
export function demoAgents(count: number): readonly DemoAgent[] {
  return [DEMO, PLATFORM].slice(0, count);
}
