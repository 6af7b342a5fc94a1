"use client";
import { useEffect, useState, type ReactNode } from "react";
import { isChunkFailure, reloadOnce } from "./chunk-failure.ts";
import { StatePanel } from "./state-panel.tsx";
import { t } from "./messages.ts";

/** The bundler puts it here, see `next.config.mjs`. */
const BUILD = process.env.BINNACLE_BUILD ?? "";

/** What failed and what can still be done. */
export interface FailurePanelProps {
  readonly error: unknown;
  /** Begins the sentence: "The graph", "This page". */
  readonly what: string;
  /** Tries again without loading the page; absent where nothing is left that could. */
  readonly retry?: () => void;
  /** More to do, beside trying again. */
  readonly actions?: ReactNode;
}

/** Says what happened and what to do. A file of an older build that is gone loads the page anew, once, before it says anything. */
export function FailurePanel({ error, what, retry, actions }: FailurePanelProps): ReactNode {
  const missing = isChunkFailure(error);
  const [reloading, setReloading] = useState(missing);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- whether it may be loaded anew is known by doing it, which is no part of a render
    if (missing) setReloading(reloadOnce({ build: BUILD, storage: () => sessionStorage, reload: () => location.reload() }));
  }, [missing]);
  if (missing && reloading) return <StatePanel icon="sync" message={t("ui/file-gone")} />;
  return (
    <StatePanel
      icon={missing ? "off" : "info"}
      role="alert"
      message={missing ? t("ui/not-loaded", { what }) : t("ui/part-stopped", { what })}
      more={missing ? <MissingAdvice /> : <ErrorAdvice error={error} />}
      actions={
        <>
          {retry !== undefined && (
            <button type="button" className="btn sm primary" onClick={retry}>
              {t("ui/try-again")}
            </button>
          )}
          {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- it leads to this very address, also where no script runs */}
          <a className="btn sm" href="">
            {t("ui/load-page-again")}
          </a>
          {actions}
        </>
      }
    />
  );
}

function MissingAdvice(): ReactNode {
  return <p>{t("ui/file-unavailable")}</p>;
}

function ErrorAdvice({ error }: { readonly error: unknown }): ReactNode {
  const text = error instanceof Error ? error.message : String(error);
  return (
    <>
      <p>{t("ui/error-harmless")}</p>
      <p className="mono">{text === "" ? t("ui/error-without-message") : text.slice(0, 500)}</p>
    </>
  );
}
