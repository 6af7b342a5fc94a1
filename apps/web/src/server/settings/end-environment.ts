import {
  DeleteEnvironmentResponseSchema,
  StopEnvironmentResponseSchema,
  type DeleteEnvironmentRequest,
  type DeleteEnvironmentResponse,
  type StopEnvironmentRequest,
  type StopEnvironmentResponse,
} from "@binnacle/proto/dashboard-settings";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { sessionEnded } from "../base/session-ended.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { rejected, Save, type SaveSettingsContext } from "./save-settings.ts";
import { readSettingsState, type SettingsNames, type SettingsState } from "./settings-state.ts";

/** Stops an environment; the main application judges the right. @throws as `saveSettings` */
export async function stopEnvironment(
  context: SaveSettingsContext,
  call: { readonly viewerAccess: ViewerAccess | undefined; readonly request: StopEnvironmentRequest; readonly signal: AbortSignal },
): Promise<StopEnvironmentResponse> {
  const { viewerAccess, state, of } = await stateOfCall(call);
  const { signal, request } = call;
  if (state.record.environment?.state === "stopped")
    return create(StopEnvironmentResponseSchema, { result: rejected(words("settings/is-stopped")) });
  const save = new Save(context, { viewerAccess, state, name: request.environment, signal });
  return create(StopEnvironmentResponseSchema, { result: await save.send("stop", () => viewerAccess.stopEnvironment(of, signal)) });
}

/** Deletes an environment that was stopped, when its name was typed. Its entry in the file stays. @throws as `saveSettings` */
export async function deleteEnvironment(
  context: SaveSettingsContext,
  call: { readonly viewerAccess: ViewerAccess | undefined; readonly request: DeleteEnvironmentRequest; readonly signal: AbortSignal },
): Promise<DeleteEnvironmentResponse> {
  const { viewerAccess, state, of } = await stateOfCall(call);
  const { signal, request } = call;
  const why =
    request.typedName !== request.environment
      ? words("settings/name-not-typed")
      : state.record.environment?.state === "stopped"
        ? undefined
        : words("settings/not-stopped");
  if (why) return create(DeleteEnvironmentResponseSchema, { result: rejected(why) });
  const save = new Save(context, { viewerAccess, state, name: request.environment, signal });
  return create(DeleteEnvironmentResponseSchema, { result: await save.send("delete", () => viewerAccess.deleteEnvironment(of, signal)) });
}

/** The environment of a call. */
async function stateOfCall(call: {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly request: SettingsNames;
  readonly signal: AbortSignal;
}): Promise<{
  readonly viewerAccess: ViewerAccess;
  readonly state: SettingsState;
  readonly of: { readonly projectPath: string; readonly number: string };
}> {
  const { viewerAccess, request, signal } = call;
  if (viewerAccess === undefined) throw sessionEnded();
  if (request.environment === "") throw new Fault("invalid_request", "the environment is not named");
  const state = await readSettingsState(viewerAccess, request, signal);
  const { projectPath, environment } = state.record;
  return { viewerAccess, state, of: { projectPath, number: environment?.number ?? "" } };
}
