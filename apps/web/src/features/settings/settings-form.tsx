"use client";
import type { GetEnvironmentSettingsResponse } from "@binnacle/proto/dashboard-settings";
import { SettingsControl, SettingsOutcome } from "@binnacle/proto/settings-enums";
import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useState, type ReactNode } from "react";
import { messageText, tLater } from "../../ui/messages.ts";
import { environmentPath } from "../address/route-path.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { AgentPicker } from "./agent-picker.tsx";
import { changedFields, draftOf, fieldsOf, messageOf, remaining, withDraft, type Draft } from "./draft.ts";
import { EndEnvironment } from "./end-environment.tsx";
import { loadSettings } from "./load-settings.ts";
import { NewFields, NO_NEW, type NewEnvironmentFields } from "./new-fields.tsx";
import { ScopeFields } from "./scope-fields.tsx";
import { SettingsPreview } from "./settings-preview.tsx";
import { isConflict, isWhollySaved, SettingsResults, type SavedHalves } from "./settings-results.tsx";
import styles from "./settings.module.css";
import { useOnline, type SettingsNames } from "./use-settings.ts";

/** The server gives up before. */
const LIMIT_MS = 60_000;

const NOTHING: readonly [] = [];

interface FormProps {
  readonly names: SettingsNames;
  readonly settings: GetEnvironmentSettingsResponse;
  /** Reads the settings again; what was entered stays. */
  readonly reload: () => Promise<GetEnvironmentSettingsResponse | undefined>;
}

/** The form of settings with its preview, and what became of the last save. */
export function SettingsForm({ names, settings, reload }: FormProps): ReactNode {
  const { projectPath, environment } = names;
  const isNew = environment === "";
  const [draft, setDraft] = useState<Draft>(() =>
    isNew ? draftOf(new URLSearchParams(location.search), settings.agents, projectPath) : {},
  );
  const [created, setCreated] = useState<NewEnvironmentFields>(NO_NEW);
  const isOnline = useOnline();
  const saved = fieldsOf(settings.settings);
  const fields = withDraft(saved, draft);
  const changed = changedFields(saved, draft);
  const disabled = reasonsOf(settings);
  const save = useMutation({
    // A browser that thinks it is offline still reaches a server on its own machine.
    networkMode: "always",
    retry: false,
    mutationFn: async (): Promise<SavedHalves> => {
      const client = await loadSettings();
      const common = { projectPath, settings: messageOf(fields), fileVersion: settings.fileVersion };
      const options = { timeoutMs: LIMIT_MS };
      if (isNew)
        return client.createEnvironment(
          { ...common, environment: created.name.trim(), externalUrl: created.externalUrl.trim(), tier: created.tier },
          options,
        );
      return client.saveEnvironmentSettings({ ...common, environment, before: messageOf(saved) }, options);
    },
    onSuccess: async (halves) => {
      // After a conflict the viewer decides when to load what others have set.
      if (isConflict(halves)) return;
      const now = await reload();
      if (isNew) return;
      // What waits in a merge request is not saved twice.
      const isProposed = halves.file?.outcome === SettingsOutcome.PROPOSED;
      setDraft((before) => remaining(fieldsOf(now?.settings ?? settings.settings), isProposed ? agentAndFlux(before) : before));
    },
  });
  const halves = save.data;
  const isCreated = isNew && halves?.mainApplication?.outcome === SettingsOutcome.DONE;
  useLeaveWarning(changed.length > 0 && !isCreated);
  const set = (change: Draft): void => {
    setDraft({ ...draft, ...change });
  };
  const load = (): void => {
    save.reset();
    void reload();
  };
  const isRest = halves !== undefined && !isWhollySaved(halves) && !isConflict(halves);
  const isBlocked = isNew ? disabled(SettingsControl.CREATE) !== undefined || created.name.trim() === "" : changed.length === 0;
  const barred = isNew ? disabled(SettingsControl.CREATE) : disabled(SettingsControl.AGENT);
  return (
    <div className={styles["layout"]}>
      <form
        className={styles["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBlocked && !save.isPending) save.mutate();
        }}
      >
        {!isOnline && (
          <p className={styles["warning"]} role="alert">
            {tLater("settings/offline")}
          </p>
        )}
        {barred !== undefined && isNew && (
          <p className={styles["warning"]} role="alert">
            {barred}
          </p>
        )}
        {settings.fileNotices.map((notice, index) => (
          <p key={index} className={styles["warning"]}>
            {messageText(notice)}
          </p>
        ))}
        {isNew && <NewFields fields={created} disabled={barred !== undefined || isCreated} onFields={setCreated} />}
        <AgentPicker
          settings={settings}
          agentId={fields.agentId}
          disabled={disabled(SettingsControl.AGENT)}
          onAgent={(agentId) => set({ agentId })}
        />
        <ScopeFields
          saved={saved}
          fields={fields}
          changed={isNew ? NOTHING : changed}
          settings={settings}
          disabled={disabled}
          onChange={set}
        />
        {halves !== undefined && <SettingsResults halves={halves} product={settings.product} />}
        {save.error !== null && (
          <p className={styles["warning"]} role="alert">
            {sentenceOfError(save.error)}
          </p>
        )}
        <div className={styles["buttons"]}>
          {isCreated ? (
            <Link className="btn primary" href={environmentPath(projectPath, created.name.trim())}>
              {tLater("settings/open-environment")}
            </Link>
          ) : (
            <button type="submit" className="btn primary" aria-disabled={isBlocked || save.isPending}>
              {save.isPending
                ? tLater("settings/saving")
                : isRest
                  ? tLater("settings/save-rest")
                  : isNew
                    ? tLater("settings/create")
                    : tLater("saved-views/save")}
            </button>
          )}
          {halves !== undefined && isConflict(halves) && (
            <button type="button" className="btn" onClick={load}>
              {tLater("settings/load-again")}
            </button>
          )}
          {changed.length > 0 && !isNew && (
            <button type="button" className="btn" onClick={() => setDraft({})}>
              {tLater("edit-page/discard")}
            </button>
          )}
          <output className="muted">
            {isNew ? "" : changed.length > 0 ? tLater("settings/unsaved") : tLater("settings/nothing-changed")}
          </output>
        </div>
      </form>
      <aside className={styles["aside"]}>
        <SettingsPreview names={names} fields={fields} />
        {!isNew && <EndEnvironment names={names} settings={settings} disabled={disabled} reload={reload} />}
      </aside>
    </div>
  );
}

/** What a save of the main application alone would change. */
function agentAndFlux({ agentId, fluxResourcePath }: Draft): Draft {
  return { ...(agentId !== undefined && { agentId }), ...(fluxResourcePath !== undefined && { fluxResourcePath }) };
}

/** Why a control cannot be used; `undefined`: it can. */
export type DisabledReason = (control: SettingsControl) => string | undefined;

function reasonsOf({ disabled }: GetEnvironmentSettingsResponse): DisabledReason {
  const reasons = new Map(disabled.map(({ control, words }) => [control as number, messageText(words)]));
  return (control) => reasons.get(control);
}

/** The browser asks before what was entered is lost. */
function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isDirty]);
}
