import {
  GetEnvironmentSettingsResponseSchema,
  SettingsAgentState,
  type GetEnvironmentSettingsResponse,
} from "@binnacle/proto/dashboard-settings";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AgentPicker } from "./agent-picker.tsx";

const LINES = "user_access:\n  projects:\n    - id: group/app\n";
const DEMO = { id: "3", name: "demo", projectPath: "group/app", isSharedWithUsers: true };
const CI = { id: "9", name: "ci", projectPath: "group/ci", isSharedWithUsers: false, userAccessYaml: LINES };

function settings(of: MessageInitShape<typeof GetEnvironmentSettingsResponseSchema>): GetEnvironmentSettingsResponse {
  return create(GetEnvironmentSettingsResponseSchema, { state: "available", ...of });
}

function html(of: GetEnvironmentSettingsResponse, agentId: string, disabled?: string): string {
  return renderToStaticMarkup(<AgentPicker settings={of} agentId={agentId} disabled={disabled} onAgent={() => undefined} />);
}

const inputs = (markup: string): string[] => markup.match(/<input[^>]*>/g) ?? [];

test("an agent that is shared with CI jobs only is listed, disabled, with its project and the lines that would allow it", () => {
  const markup = html(settings({ agents: [DEMO, CI], settings: { agentId: "3" }, agentState: SettingsAgentState.AVAILABLE }), "3");
  expect(inputs(markup).map((input) => [/value="(\d*)"/.exec(input)?.[1], input.includes("disabled"), input.includes("checked")])).toEqual([
    ["", false, false],
    ["3", false, true],
    ["9", true, false],
  ]);
  expect(markup).toContain("group/ci");
  expect(markup).toContain("- id: group/app");
});

test("an agent that is set and not shared any more says so, and offers the choice again", () => {
  const lost = settings({
    agents: [
      { ...DEMO, name: "platform", id: "4" },
      { ...CI, id: "3", name: "demo" },
    ],
    settings: { agentId: "3" },
    agentName: "demo",
    agentState: SettingsAgentState.NOT_SHARED,
  });
  const markup = html(lost, "3");
  expect(markup).toContain("Agent demo is set, but it is not shared with the users of this project any more.");
  expect(inputs(markup)).toHaveLength(3);
  expect(markup.match(/- id: group\/app/g)).toHaveLength(1);
});

test("an environment without an agent says that it may have been deleted; a new one does not", () => {
  const text = "it was deleted or is no longer shared with you";
  expect(html(settings({ agents: [DEMO] }), "")).toContain(text);
  expect(html(settings({ agents: [DEMO], state: "" }), "")).not.toContain(text);
});

test("another agent is said to replace the one that is set", () => {
  const both = settings({
    agents: [DEMO, { ...DEMO, id: "4", name: "platform", projectPath: "" }],
    settings: { agentId: "3" },
    agentName: "demo",
    agentState: SettingsAgentState.AVAILABLE,
  });
  expect(html(both, "4")).toContain("An environment has one agent: platform replaces demo.");
  expect(html(both, "4")).toContain("Its project is not visible to you");
});

test("who may not change it sees why, and can choose nothing", () => {
  const markup = html(
    settings({ agents: [DEMO], settings: { agentId: "3" }, agentState: SettingsAgentState.AVAILABLE }),
    "3",
    "Ask a maintainer.",
  );
  expect(markup).toContain("Ask a maintainer.");
  expect(inputs(markup).every((input) => input.includes("disabled"))).toBe(true);
});
