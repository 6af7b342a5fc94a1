/**
 * `node apps/web/dev/summarizing-agents.ts AGENTS EACH [PROJECTS] [USERS]`, for benches: a main application with so many environments, in one project
 * or in so many, and a kas whose agents tell their health (both stand-ins). Says over IPC where they are, then answers `{ tell: namespace }` by telling
 * that it is Degraded, or of the given status, and `{ count: true }` with what is open.
 */
import { HealthStatus } from "@binnacle/proto/dashboard";

import { StandInKas } from "../src/server/kas/testing/stand-in-kas.ts";
import { StandInMainApplication } from "../src/server/gitlab/testing/stand-in-main-application.ts";
import { SummarizingAgents } from "../src/server/testing/summarizing-agents.ts";

const [agents = 1, each = 1, projects = 0, users = 1] = process.argv.slice(2).map(Number);
const main = new StandInMainApplication();
const kas = new StandInKas(main);
const names = Array.from({ length: users }, (_, index) => (index === 0 ? "ann" : `user-${index}`));
for (const name of names) {
  main.tokens.set(`glpat-${name}`, name);
  kas.allowed.add(name);
}
const summarizing = new SummarizingAgents({ main, kas }, { agents, each, projects });
const urls = { mainApplication: await main.listen(), kas: await kas.listen() };

process.on("message", (command: { readonly tell?: string; readonly status?: HealthStatus; readonly count?: boolean }) => {
  if (command.tell !== undefined) summarizing.tell(command.tell, command.status ?? HealthStatus.DEGRADED);
  if (command.count === true) process.send?.({ watches: kas.watches.size, answers: summarizing.answers.size });
});
process.send?.({
  ...urls,
  token: "glpat-ann",
  tokens: names.map((name) => `glpat-${name}`),
  project: "group/app",
  environments: main.environments,
});
