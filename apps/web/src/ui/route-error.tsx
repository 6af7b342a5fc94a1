"use client";
import type { ReactNode } from "react";
import { AppBar } from "./app-bar.tsx";
import { FailurePanel } from "./failure-panel.tsx";
import { t } from "./messages.ts";

/** What Next hands to an `error.tsx`. */
export interface RouteErrorProps {
  readonly error: unknown;
  /** Renders the route once more. */
  readonly reset: () => void;
}

/** A page whose content failed, with the bar above it. @param what begins the sentence: "This page" */
export function RouteError({ error, reset, what }: RouteErrorProps & { readonly what: string }): ReactNode {
  return (
    <div className="page">
      <AppBar crumbs={[{ text: t("ui/error") }]} />
      <main id="content" className="page grow">
        <h1 className="visually-hidden">{t("ui/error")}</h1>
        <FailurePanel error={error} what={what} retry={reset} />
      </main>
    </div>
  );
}
