import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ComponentsPage } from "../../../dev/components/components-page.tsx";
import { QueryProvider } from "../../../src/features/queries/query-provider.tsx";

export const metadata: Metadata = { title: "Components" };

/** Every component in every state and theme. `next.config.mjs` makes it a page in development only: no build has it. */
export default function Page(): ReactNode {
  return (
    <QueryProvider>
      <ComponentsPage />
    </QueryProvider>
  );
}
