import Link from "next/link";
import type { ReactNode } from "react";
import { AppBar } from "./app-bar.tsx";
import { StatePanel } from "./state-panel.tsx";
import { t } from "./messages.ts";

/** A page that is not there, with the bar above it and a way on. */
export function RouteNotFound({ say: what }: { readonly say: string }): ReactNode {
  return (
    <div className="page">
      <AppBar crumbs={[{ text: t("ui/not-found") }]} />
      <main id="content" className="page grow">
        <h1 className="visually-hidden">{t("ui/not-found")}</h1>
        <StatePanel
          icon="search"
          message={what}
          actions={
            <Link className="btn sm" href="/">
              {t("ui/all-projects")}
            </Link>
          }
        />
      </main>
    </div>
  );
}
