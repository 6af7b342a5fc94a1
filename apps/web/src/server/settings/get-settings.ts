import {
  DisabledControlSchema,
  GetEnvironmentSettingsResponseSchema,
  SettingsAgentSchema,
  SettingsAgentState,
  SettingsControl,
  type DisabledControl,
  type GetEnvironmentSettingsResponse,
  type SettingsAgent,
} from "@binnacle/proto/dashboard-settings";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { toSentWords } from "../base/sent-words.ts";
import { sessionEnded } from "../base/session-ended.ts";
import { toViewer } from "../environment/environment-messages.ts";
import type { Wording } from "../environment/problem.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import type { SettingsCapabilities, SettingsRecord, SharedAgent } from "../main-application/settings-access.ts";
import { parseTeamFile } from "../team-file/parse-team-file.ts";
import { fileNotices } from "../team-file/team-view-of.ts";
import { lackOf, readSettingsState, type SettingsNames, type SettingsState } from "./settings-state.ts";
import { toSettings } from "./settings-values.ts";

/** What settings are read with. */
export interface GetSettingsContext {
  readonly wording: Wording;
}

const MAX_AGENTS = 1_000;

/**
 * Settings of an environment, agents that may be chosen, and what the viewer may change.
 *
 * @throws Fault `session_ended`, `not_found`, `main_application_unavailable`
 */
export async function getSettings(
  context: GetSettingsContext,
  request: SettingsNames & { readonly viewerAccess: ViewerAccess | undefined; readonly signal: AbortSignal },
): Promise<GetEnvironmentSettingsResponse> {
  const { viewerAccess, signal } = request;
  if (viewerAccess === undefined) throw sessionEnded();
  const state = await readSettingsState(viewerAccess, request, signal);
  const { record, fileVersion, entryName, values, file } = state;
  const { environment } = record;
  const set = environment?.agent;
  const problems = file.answer.kind === "text" ? fileNotices(parseTeamFile(file.answer.text).problems) : [];
  return create(GetEnvironmentSettingsResponseSchema, {
    viewer: toViewer(record.viewer, undefined),
    settings: toSettings(values),
    agents: record.agents.slice(0, MAX_AGENTS).map((agent) => toAgent(agent, record.projectPath)),
    agentState: agentStateOf(record),
    agentName: set?.name ?? "",
    disabled: disabledControls(state),
    fileVersion,
    fileEntry: entryName,
    state: environment?.state ?? "",
    autoStopAt: environment?.autoStopAt ?? "",
    product: context.wording.product,
    fileNotices: problems.map(toSentWords),
    mainApplicationUrl: editUrl(viewerAccess.mainApplicationUrl, record),
  });
}

function toAgent({ id, name, projectPath, forUsers }: SharedAgent, project: string): SettingsAgent {
  const userAccessYaml = forUsers ? "" : userAccessLines(project);
  return create(SettingsAgentSchema, { id: String(id), name, projectPath, isSharedWithUsers: forUsers, userAccessYaml });
}

/** The lines of an agent's configuration file that share it with the users of a project. */
function userAccessLines(project: string): string {
  return `user_access:\n  access_as:\n    user: {}\n  projects:\n    - id: ${project}\n`;
}

function agentStateOf({ environment, agents }: SettingsRecord): SettingsAgentState {
  const set = environment?.agent;
  if (set === undefined) return SettingsAgentState.UNSPECIFIED;
  return agents.some(({ id, forUsers }) => id === set.id && forUsers) ? SettingsAgentState.AVAILABLE : SettingsAgentState.NOT_SHARED;
}

function editUrl(mainApplicationUrl: string, { projectPath, environment, versions }: SettingsRecord): string {
  if (environment === undefined || versions === undefined) return "";
  const path = projectPath.split("/").map(encodeURIComponent).join("/");
  return new URL(`/${path}/-/environments/${environment.number}/edit`, mainApplicationUrl).href;
}

/** Controls that the viewer cannot use, each with the reason: a missing right comes before a missing field. */
function disabledControls({ record, fileRefused }: SettingsState): DisabledControl[] {
  const { environment, may, projectPath: project } = record;
  const name = environment?.name ?? "";
  const lacks = (capability: keyof SettingsCapabilities): Words | undefined => lackOf(record, capability);
  const mayNot =
    environment === undefined
      ? may.create
        ? lacks("create")
        : words("settings/may-not-create", { project })
      : environment.may.update
        ? undefined
        : words("settings/may-not-update", { environment: name, project });
  const stop = environment?.may.stop === false ? words("settings/may-not-stop", { environment: name, project }) : lacks("stop");
  const remove = environment?.may.remove === false ? words("settings/may-not-delete", { environment: name, project }) : lacks("remove");
  const isStopped = environment?.state === "stopped";
  const reasons: readonly (readonly [SettingsControl, Words | undefined])[] = [
    [SettingsControl.CREATE, environment === undefined ? mayNot : undefined],
    [SettingsControl.AGENT, mayNot ?? lacks("agent") ?? lacks("sharedAgents")],
    [SettingsControl.NAMESPACE, mayNot ?? lacks("namespace")],
    [SettingsControl.FLUX, mayNot ?? lacks("flux")],
    [SettingsControl.FILE, fileRefused],
    [SettingsControl.STOP, stop ?? (isStopped ? words("settings/is-stopped") : undefined)],
    [SettingsControl.DELETE, remove ?? (isStopped ? undefined : words("settings/not-stopped"))],
  ];
  return reasons.flatMap(([control, reason]) => (reason ? [create(DisabledControlSchema, { control, words: toSentWords(reason) })] : []));
}
