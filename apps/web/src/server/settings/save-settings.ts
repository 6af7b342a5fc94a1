import {
  CreateEnvironmentResponseSchema,
  SaveEnvironmentSettingsResponseSchema,
  SettingsOutcome,
  SettingsResultSchema,
  type CreateEnvironmentRequest,
  type CreateEnvironmentResponse,
  type SaveEnvironmentSettingsRequest,
  type SaveEnvironmentSettingsResponse,
  type SettingsResult,
} from "@binnacle/proto/dashboard-settings";
import { Fault } from "@binnacle/rpc";
import { quoted, words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { recordEvent, type AuditContext } from "../audit/audit-sink.ts";
import { toSentWords } from "../base/sent-words.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { Wording } from "../environment/problem.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import type { EnvironmentChange, WriteResult } from "../main-application/settings-access.ts";
import { editTeamFile, entryYaml } from "../team-file/edit-team-file.ts";
import type { TeamFiles } from "../team-file/team-files.ts";
import { TEAM_FILE_PATH, type EnvironmentEntry } from "../team-file/team-file-schema.ts";
import { readSettingsState, stateOf, type SettingsState } from "./settings-state.ts";
import { isSameScope, planScope, readSettings, type ScopePlan, type SettingsValues } from "./settings-values.ts";

/** What settings are written with. */
export interface SaveSettingsContext extends AuditContext {
  readonly teamFiles: TeamFiles;
  readonly wording: Wording;
}

/** A call that changes something. */
interface Call<T> {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly request: T;
  readonly signal: AbortSignal;
}

/** What is done to an environment, for the audit. */
type SettingsVerb = "update" | "create" | "stop" | "delete" | "commit";

const MAX_NAME = 255;
const TIERS = ["", "production", "staging", "testing", "development", "other"];
const FILE = { file: TEAM_FILE_PATH };

/**
 * Changes what differs from what the page has read: the file first, then the main application. A value that another viewer has changed since
 * is a conflict of its half; a half that was done is not undone when the other one fails, and the same request sends what is left.
 *
 * @throws Fault `session_ended`, `not_found`, `main_application_unavailable` before anything was sent; `invalid_request`
 */
export async function saveSettings(
  context: SaveSettingsContext,
  { viewerAccess, request, signal }: Call<SaveEnvironmentSettingsRequest>,
): Promise<SaveEnvironmentSettingsResponse> {
  if (viewerAccess === undefined) throw sessionEnded();
  if (request.environment === "") throw new Fault("invalid_request", "the environment is not named");
  const [wanted, before] = [readSettings(request.settings), readSettings(request.before)];
  if ("problem" in wanted) return create(SaveEnvironmentSettingsResponseSchema, { mainApplication: rejected(wanted.problem) });
  if ("problem" in before) throw new Fault("invalid_request", "the settings that were read are not valid");
  const state = await readSettingsState(viewerAccess, request, signal);
  const save = new Save(context, { viewerAccess, state, name: request.environment, signal });
  const { number = "" } = state.record.environment ?? {};
  const { projectPath } = state.record;
  // What has not been touched stays as it is now, whoever has changed it since.
  const isScopeTouched = !isSameScope(wanted, before);
  const plan = isScopeTouched ? planScope(wanted, state.entries, state.record.environment?.namespace ?? "") : {};
  if (plan === undefined)
    return create(SaveEnvironmentSettingsResponseSchema, {
      file: rejected(words("settings/pattern", { ...FILE, pattern: state.entryName })),
    });
  const file = await save.file(plan, request.fileVersion);
  if (!isGood(file)) return create(SaveEnvironmentSettingsResponseSchema, { file, mainApplication: notTried() });
  const change = changeOf({ wanted, before }, state, plan);
  const mainApplication =
    Object.keys(change).length === 0
      ? unchanged()
      : (save.conflict({ wanted, before, isScopeTouched: plan.namespace !== undefined }) ??
        save.agentRefusal(change) ??
        (await save.send("update", () => viewerAccess.changeEnvironment({ projectPath, number }, change, signal))));
  return create(SaveEnvironmentSettingsResponseSchema, { file, mainApplication });
}

/**
 * Creates an environment: its entry in the file first, so that the environment shows the right part of the cluster from its first moment.
 *
 * @throws as `saveSettings`
 */
export async function createEnvironment(
  context: SaveSettingsContext,
  { viewerAccess, request, signal }: Call<CreateEnvironmentRequest>,
): Promise<CreateEnvironmentResponse> {
  if (viewerAccess === undefined) throw sessionEnded();
  const { environment: name, externalUrl, tier } = request;
  const failed = (problem: Words): CreateEnvironmentResponse =>
    create(CreateEnvironmentResponseSchema, { file: notTried(), mainApplication: rejected(problem) });
  if (name.trim() === "" || name.length > MAX_NAME) return failed(words("settings/invalid-name", { most: MAX_NAME }));
  if (!TIERS.includes(tier)) throw new Fault("invalid_request", "there is no such tier");
  const wanted = readSettings(request.settings);
  if ("problem" in wanted) return failed(wanted.problem);
  const read = await readSettingsState(viewerAccess, { projectPath: request.projectPath, environment: "" }, signal);
  const { projectPath } = read.record;
  if (!read.record.may.create) return failed(words("settings/may-not-create", { project: projectPath }));
  const { environments } = await viewerAccess.environments(projectPath, signal);
  if (environments.some((each) => each.name === name)) return failed(words("settings/name-taken", { environment: name }));
  const state = stateOf(read.record, read.file, name);
  const save = new Save(context, { viewerAccess, state, name, signal });
  const plan = planScope(wanted, state.entries, "");
  if (plan === undefined) return failed(words("settings/pattern", { ...FILE, pattern: state.entryName }));
  const { agentId, fluxResourcePath } = wanted;
  const change: EnvironmentChange = {
    ...(agentId !== undefined && { agentId }),
    ...(plan.namespace !== undefined && plan.namespace !== "" && { namespace: plan.namespace }),
    ...(fluxResourcePath !== "" && { fluxResourcePath }),
  };
  const refusal = save.agentRefusal(change);
  if (refusal) return create(CreateEnvironmentResponseSchema, { file: notTried(), mainApplication: refusal });
  const file = await save.file(plan, request.fileVersion);
  if (!isGood(file)) return create(CreateEnvironmentResponseSchema, { file, mainApplication: notTried() });
  const made = { name, ...change, ...(externalUrl !== "" && { externalUrl }), ...(tier !== "" && { tier }) };
  const mainApplication = await save.send("create", () => viewerAccess.createEnvironment(projectPath, made, signal));
  return create(CreateEnvironmentResponseSchema, { file, mainApplication });
}

/** What is saved, and for whom. */
interface SaveOf {
  readonly viewerAccess: ViewerAccess;
  readonly state: SettingsState;
  /** Of the environment. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** One save: what it reads, sends and records. */
export class Save {
  readonly #context: SaveSettingsContext;
  readonly #of: SaveOf;

  constructor(context: SaveSettingsContext, of: SaveOf) {
    this.#context = context;
    this.#of = of;
  }

  /** The half of the file. @param version as the page has read it */
  async file({ entry }: ScopePlan, version: string): Promise<SettingsResult> {
    if (entry === undefined) return unchanged();
    const { viewerAccess, state, name, signal } = this.#of;
    const { file, fileVersion, fileRefused, record } = state;
    if (fileRefused) return rejected(fileRefused);
    if (version !== fileVersion) return result(SettingsOutcome.CONFLICT, words("settings/file-changed", FILE));
    const text = file.answer.kind === "text" ? file.answer.text : undefined;
    const edited = editTeamFile(text, name, entry.to);
    if (edited.kind !== "edited") return rejected(byHand(name, entry.to, edited.kind));
    const { projectPath } = record;
    const sent = await this.send("commit", () =>
      viewerAccess.commitFile(
        {
          project: projectPath,
          path: TEAM_FILE_PATH,
          text: edited.text,
          message: `Set what environment ${name} shows`,
          branch: file.branch,
          isNew: text === undefined,
          lastCommitId: record.capabilities.commitPrecondition ? file.lastCommitId : "",
        },
        signal,
      ),
    );
    this.#context.teamFiles.forget(viewerAccess, projectPath);
    return sent;
  }

  /** A value to be written that another viewer has changed since it was read. */
  conflict(of: {
    readonly wanted: SettingsValues;
    readonly before: SettingsValues;
    readonly isScopeTouched: boolean;
  }): SettingsResult | undefined {
    const { wanted, before, isScopeTouched } = of;
    const { values, record } = this.#of.state;
    const { environment } = record;
    if (wanted.agentId !== before.agentId && values.agentId !== before.agentId && values.agentId !== wanted.agentId) {
      const agent = environment?.agent?.name;
      return result(SettingsOutcome.CONFLICT, words("settings/agent-changed", { agent }));
    }
    const isFluxChanged = wanted.fluxResourcePath !== before.fluxResourcePath && values.fluxResourcePath !== before.fluxResourcePath;
    if (isFluxChanged || (isScopeTouched && !isSameScope(values, before)))
      return result(SettingsOutcome.CONFLICT, words("settings/changed"));
    return undefined;
  }

  /** Only agents that are shared for users can be chosen. */
  agentRefusal(change: EnvironmentChange): SettingsResult | undefined {
    const { agentId } = change;
    const { agents, projectPath: project } = this.#of.state.record;
    if (agentId === undefined || agents.some(({ id, forUsers }) => forUsers && id === agentId)) return undefined;
    const agent = agents.find(({ id }) => id === agentId)?.name;
    return rejected(words("settings/agent-not-shared", { agent, project }));
  }

  /** Sends one write, and records it. */
  async send(verb: SettingsVerb, write: () => Promise<WriteResult>): Promise<SettingsResult> {
    const { state, name } = this.#of;
    const { record } = state;
    const begunMs = this.#context.clock.now();
    const sent = await write();
    const { username } = record.viewer;
    const agentId = record.environment?.agent?.id ?? 0n;
    recordEvent(
      this.#context,
      { actor: { viewer: username, clusterUser: "", cluster: "" }, agentId },
      {
        event: "complete",
        action: { verb, resource: verb === "commit" ? "files" : "environments", name: verb === "commit" ? TEAM_FILE_PATH : name },
        purpose: { action: "settings", project_path: record.projectPath, environment: name },
        dryRun: false,
        outcome: sent.kind,
        durationMs: Math.round(this.#context.clock.now() - begunMs),
      },
    );
    return toResult(sent, this.#context.wording.product);
  }
}

function changeOf(
  { wanted, before }: { readonly wanted: SettingsValues; readonly before: SettingsValues },
  { values, record }: SettingsState,
  plan: ScopePlan,
): EnvironmentChange {
  return {
    ...(wanted.agentId !== before.agentId && wanted.agentId !== values.agentId && { agentId: wanted.agentId }),
    ...(plan.namespace !== undefined && plan.namespace !== record.environment?.namespace && { namespace: plan.namespace }),
    ...(wanted.fluxResourcePath !== before.fluxResourcePath &&
      wanted.fluxResourcePath !== values.fluxResourcePath && { fluxResourcePath: wanted.fluxResourcePath }),
  };
}

function byHand(name: string, entry: EnvironmentEntry | undefined, kind: "not-editable" | "too-large"): Words {
  if (kind === "too-large") return words("settings/file-too-large", FILE);
  return entry === undefined
    ? words("settings/remove-by-hand", { ...FILE, environment: name })
    : words("settings/edit-by-hand", { ...FILE, yaml: quoted(entryYaml(name, entry)) });
}

/** What a write led to, for people. */
function toResult(sent: WriteResult, product: string): SettingsResult {
  switch (sent.kind) {
    case "done":
      return result(SettingsOutcome.DONE, undefined, sent.url);
    case "proposed":
      return result(SettingsOutcome.PROPOSED, words("settings/proposed", { branch: sent.branch }), sent.url);
    case "conflict":
      return result(SettingsOutcome.CONFLICT, words("settings/file-changed", FILE));
    case "unknown":
      return result(SettingsOutcome.UNKNOWN, words("settings/unknown", { product }));
    default:
      return rejected(words("settings/rejected", { product, why: sent.why === "" ? undefined : quoted(sent.why) }));
  }
}

/** A change that has no effect. */
export function rejected(why: Words): SettingsResult {
  return result(SettingsOutcome.REJECTED, why);
}

function unchanged(): SettingsResult {
  return result(SettingsOutcome.UNCHANGED);
}

function notTried(): SettingsResult {
  return result(SettingsOutcome.UNSPECIFIED);
}

function isGood({ outcome }: SettingsResult): boolean {
  return outcome === SettingsOutcome.UNCHANGED || outcome === SettingsOutcome.DONE || outcome === SettingsOutcome.PROPOSED;
}

function result(outcome: SettingsOutcome, why?: Words, url = ""): SettingsResult {
  return create(SettingsResultSchema, { outcome, ...(why && { words: toSentWords(why) }), url });
}
