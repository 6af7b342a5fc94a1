import Link from "next/link";
import type { ReactNode } from "react";
import { AppBar } from "../src/ui/app-bar.tsx";
import { StatePanel } from "../src/ui/state-panel.tsx";

/** An address that names nothing. */
export default function NotFound(): ReactNode {
  return (
    <div className="page">
      <AppBar crumbs={[{ text: "Not found" }]} />
      <main id="content" className="page grow">
        <h1 className="visually-hidden">Not found</h1>
        <StatePanel
          icon="search"
          say="There is no such page."
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
