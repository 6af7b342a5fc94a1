/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <output> may hold no blocks */
"use client";
import type { GetEnvironmentSettingsResponse, SettingsResult } from "@binnacle/proto/dashboard-settings";
import { SettingsControl, SettingsOutcome } from "@binnacle/proto/settings-enums";
import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useState, type ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatAbsolute } from "../../ui/format-time.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import { tLater } from "../../ui/messages.ts";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { useNow } from "../../ui/use-now.ts";
import { indexPath } from "../address/route-path.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { loadSettings } from "./load-settings.ts";
import { Half } from "./settings-results.tsx";
import styles from "./settings.module.css";
import type { SettingsNames } from "./use-settings.ts";

const LIMIT_MS = 60_000;
type Verb = "stop" | "delete";

/** Stopping and deleting an environment, each confirmed. */
export function EndEnvironment(props: {
  readonly names: SettingsNames;
  readonly settings: GetEnvironmentSettingsResponse;
  readonly disabled: (control: SettingsControl) => string | undefined;
  readonly reload: () => Promise<unknown>;
}): ReactNode {
  const { names, settings, disabled, reload } = props;
  const { product, autoStopAt, mainApplicationUrl } = settings;
  const [open, setOpen] = useState<Verb>();
  const [typed, setTyped] = useState("");
  const now = useNow(60_000);
  const ending = useMutation({
    networkMode: "always",
    retry: false,
    mutationFn: async (verb: Verb): Promise<{ readonly verb: Verb; readonly result: SettingsResult | undefined }> => {
      const client = await loadSettings();
      const options = { timeoutMs: LIMIT_MS };
      const { result } =
        verb === "stop"
          ? await client.stopEnvironment(names, options)
          : await client.deleteEnvironment({ ...names, typedName: typed }, options);
      return { verb, result };
    },
    onSuccess: async ({ verb, result }) => {
      setOpen(undefined);
      // What was deleted has no settings any more.
      if (verb === "stop" || result?.outcome !== SettingsOutcome.DONE) await reload();
    },
  });
  const isDeleted = ending.data?.verb === "delete" && ending.data.result?.outcome === SettingsOutcome.DONE;
  const stopAtMs = Date.parse(autoStopAt);
  const stopReason = disabled(SettingsControl.STOP);
  const deleteReason = disabled(SettingsControl.DELETE);
  return (
    <section className={`panel ${styles["end"]}`} aria-label={tLater("settings/stop-and-delete")}>
      <header>
        <h2>{tLater("settings/stop-and-delete")}</h2>
      </header>
      {isDeleted ? (
        <>
          <p role="status">{tLater("settings/deleted")}</p>
          <Link className="btn sm" href={indexPath(names.projectPath)}>
            {tLater("ui/environments")}
          </Link>
        </>
      ) : (
        <>
          {!Number.isNaN(stopAtMs) && (
            <p>
              {tLaterElements("settings/auto-stop", {
                product,
                at: (
                  <ExactTime atMs={stopAtMs} now={now}>
                    {formatAbsolute(stopAtMs, now)}
                  </ExactTime>
                ),
              })}
            </p>
          )}
          <Step text={tLater("settings/stop")} reason={stopReason} isOpen={open === "stop"} onOpen={() => setOpen("stop")}>
            <p>{tLater("settings/stop-confirm", { product })}</p>
            <Confirm
              isPending={ending.isPending}
              text={tLater("settings/stop")}
              onDo={() => ending.mutate("stop")}
              onCancel={() => setOpen(undefined)}
            />
          </Step>
          <Step text={tLater("settings/delete")} reason={deleteReason} isOpen={open === "delete"} onOpen={() => setOpen("delete")}>
            <p>{tLater("settings/delete-confirm", { product })}</p>
            <label className={styles["field"]}>
              <span>{tLater("settings/delete-type", { environment: names.environment })}</span>
              <input type="text" autoComplete="off" spellCheck={false} value={typed} onChange={({ target }) => setTyped(target.value)} />
            </label>
            <Confirm
              isPending={ending.isPending || typed !== names.environment}
              text={tLater("settings/delete")}
              onDo={() => ending.mutate("delete")}
              onCancel={() => setOpen(undefined)}
            />
          </Step>
          {ending.data !== undefined && (
            <div role="status">
              <Half name={ending.data.verb === "stop" ? tLater("settings/stop") : tLater("settings/delete")} result={ending.data.result} />
            </div>
          )}
          {ending.error !== null && <p role="alert">{sentenceOfError(ending.error)}</p>}
          {mainApplicationUrl !== "" && (
            <p>
              <OutwardLink url={mainApplicationUrl}>{tLater("settings/edit-in", { product })}</OutwardLink>
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** A button that opens its confirmation, or says why it cannot be used. */
function Step(props: {
  readonly text: string;
  readonly reason: string | undefined;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { text, reason, isOpen, onOpen, children } = props;
  if (isOpen) return <div className={styles["confirm"]}>{children}</div>;
  return (
    <div>
      <button type="button" className="btn sm" disabled={reason !== undefined} onClick={onOpen}>
        {text}
      </button>
      {reason !== undefined && <p className="muted">{reason}</p>}
    </div>
  );
}

function Confirm(props: {
  readonly text: string;
  readonly isPending: boolean;
  readonly onDo: () => void;
  readonly onCancel: () => void;
}): ReactNode {
  const { text, isPending, onDo, onCancel } = props;
  return (
    <div className={styles["buttons"]}>
      <button type="button" className="btn sm primary" disabled={isPending} onClick={onDo}>
        {text}
      </button>
      <button type="button" className="btn sm" onClick={onCancel}>
        {tLater("ui/cancel")}
      </button>
    </div>
  );
}
