import type { Catalogue } from "../catalogue.ts";

/** Messages of the server about agents of a project. Facts: agent, project, said (of the main application). */
export const AGENTS = {
  "agents/bad-name": "The name of an agent has 1 to 63 lower-case letters, digits and hyphens, and begins and ends with a letter or digit.",
  "agents/bad-token-name": "A token needs a name of at most 255 characters.",
  "agents/may-not-change": "You may not change agents of this project. Maintainers and owners may.",
  "agents/no-agent": "{project} has no agent {agent} that you may see.",
  "agents/no-token": "The agent has no such token any more.",
  "agents/refused": "It was not changed: {said}",
  "agents/test-name": "A namespace or name has lower-case letters, digits, hyphens and dots.",
  "agents/test-resource": "Name the resource in lower case and plural, with its group: pods, deployments.apps, pods/log.",
  "agents/test-verb": "Name a verb such as get, list, create or delete.",
} as const satisfies Catalogue;
