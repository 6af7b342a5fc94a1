import { demoAgents } from "./demo-agents.ts";
import { createDemoRepository } from "./demo-repository.ts";
import { FOREIGN_CONFIGURATION, OPERATORS_PATH } from "./demo-seed.ts";

/** Makes the repositories of a sandbox's projects: those of the demo's agents, or those of a foreign cluster, from which nothing is deployed. */
export async function createRepositories(gitRoot: string, of: { readonly foreign: boolean; readonly agents: number }): Promise<void> {
  if (of.foreign) {
    const files = { ".gitlab/agents/demo/config.yaml": FOREIGN_CONFIGURATION };
    await createDemoRepository({ gitRoot, fullPath: "group/app", files });
    await createDemoRepository({ gitRoot, fullPath: OPERATORS_PATH });
    return;
  }
  for (const { files: dir, deploys } of demoAgents(of.agents))
    await createDemoRepository({ gitRoot, fullPath: deploys.project, from: { dir, first: [".gitlab", deploys.directory] } });
}
