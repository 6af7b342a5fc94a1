import { demoAgents } from "./demo-agents.ts";
import { createDemoRepository } from "./demo-repository.ts";
import { configurationWith, projectEnvironments } from "./project-environments.ts";
import { FOREIGN_CONFIGURATION, OPERATORS_PATH, SITE_PATH } from "./demo-seed.ts";

/** Makes the repositories of a sandbox's projects: those of the demo's agents, or those of a foreign cluster, from which nothing is deployed. */
export async function createRepositories(
  gitRoot: string,
  of: { readonly foreign: boolean; readonly agents: number; readonly prometheus: boolean; readonly manifestProjects?: readonly string[] },
): Promise<void> {
  if (of.foreign) {
    const files = { ".gitlab/agents/demo/config.yaml": FOREIGN_CONFIGURATION };
    await createDemoRepository({ gitRoot, fullPath: "group/app", files });
    await createDemoRepository({ gitRoot, fullPath: OPERATORS_PATH });
    return;
  }
  const agents = demoAgents(of.agents);
  const deployed = projectEnvironments(of.manifestProjects ?? []);
  for (const [index, { project: fullPath, files: dir, deploys }] of agents.entries()) {
    const first = [".gitlab", ...deploys.map(({ directory }) => directory)];
    const options = of.prometheus && index === 0 ? { [OPTIONS_FILE]: PROMETHEUS_OPTIONS } : {};
    const files = { ...options, ...(index === 0 ? configurationWith(deployed) : {}) };
    await createDemoRepository({ gitRoot, fullPath, from: { dir, first }, files });
  }
  for (const { fullPath } of deployed) await createDemoRepository({ gitRoot, fullPath, files: { "README.md": DEPLOYED_README } });
  if (agents.length > 1) await createDemoRepository({ gitRoot, fullPath: SITE_PATH, files: { "README.md": SITE_README } });
}

const OPTIONS_FILE = ".gitlab/agents/demo/binnacle.yaml";
const PROMETHEUS_OPTIONS = `# Options of this agent that GitLab's own does not know (docs/reference/agent-options.md).
services:
  - name: prometheus
    namespace: monitoring
    service: prometheus
    port: 9090
    path_prefix: /api/v1/
    metrics: true                          # figures of a workload, for users who may list its pods
`;
const DEPLOYED_README = "# Manifests of an environment\n\nThe agent of group/app deploys what is pushed here.\n";
const SITE_README = "# group/site\n\nAn application project without an agent: that of group/deploy deploys its environment.\n";
