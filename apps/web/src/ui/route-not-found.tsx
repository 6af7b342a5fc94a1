import Link from "next/link";
import type { ReactNode } from "react";
import { AppBar } from "./app-bar.tsx";
import { StatePanel } from "./state-panel.tsx";

/** A page that is not there, with the bar above it and a way on. */
export function RouteNotFound({ say }: { readonly say: string }): ReactNode {
  return (
    <div className="page">
      <AppBar crumbs={[{ text: "Not found" }]} />
      <main id="content" className="page grow">
        <h1 className="visually-hidden">Not found</h1>
        <StatePanel
          icon="search"
          say={say}
          actions={
            <Link className="btn sm" href="/">
              All projects
            </Link>
          }
        />
      </main>
    </div>
  );
}
