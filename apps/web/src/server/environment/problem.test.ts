import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { expect, test } from "vitest";

import { agentForbidden } from "./problem.ts";
import type { AgentRecord, EnvironmentRecord } from "../main-application/records.ts";

const VIEWER = { username: "devi", name: "Devi" };
const ENVIRONMENT: EnvironmentRecord = {
  projectPath: "group/app",
  number: "1",
  name: "shop",
  slug: "shop",
  tier: "other",
  state: "available",
  externalUrl: "",
  namespace: "shop",
  agent: undefined,
};

function detailsFor(agent: Pick<AgentRecord, "name" | "projectPath"> | undefined): string {
  const known = agent && { id: 2n, connectedAt: undefined, lastSeenAt: undefined, ...agent };
  const { details } = agentForbidden(
    { product: "GitLab", troubleshootingUrl: "https://help.test" },
    { ...ENVIRONMENT, agent: known },
    VIEWER,
  );
  return details ? renderEnglish(fromWordsMessage(details)) : "";
}

test.each([
  ["an agent", { name: "platform", projectPath: "group/deploy" }, "Project group/app, agent platform of group/deploy, signed in as devi"],
  ["an agent of a project he may not read", { name: "platform", projectPath: "" }, "Project group/app, agent platform, signed in as devi"],
  ["no agent", undefined, "Project group/app, signed in as devi"],
])("a viewer who may not use %s gets all details that he may know", (_, agent, expected) => {
  expect(detailsFor(agent)).toBe(expected);
});
