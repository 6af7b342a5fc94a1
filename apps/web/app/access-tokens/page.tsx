import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AccessTokensPage } from "../../src/features/access-tokens/access-tokens-page.tsx";
import { createQueryClient } from "../../src/features/queries/query-client.ts";
import { QueryProvider } from "../../src/features/queries/query-provider.tsx";
import { browserClock } from "../../src/features/live/browser-clock.ts";
import { sessionQuery } from "../../src/features/session/session-info.ts";
import { documentCalls } from "../../src/first-html/document-calls.ts";
import { firstAnswers } from "../../src/first-html/first-answers.ts";
import { t } from "../../src/ui/messages.ts";

/** Title: "Access tokens". */
export function generateMetadata(): Metadata {
  return { title: t("standalone/access-tokens") };
}

/** Personal access tokens of the viewer, where there is no main application that has them. */
export default async function Page(): Promise<ReactNode> {
  const calls = await documentCalls();
  const client = createQueryClient();
  const asking = calls === undefined ? [] : [client.prefetchQuery({ ...sessionQuery(calls.session), retry: false })];
  return (
    <QueryProvider answers={await firstAnswers(client, asking, browserClock)}>
      <AccessTokensPage />
    </QueryProvider>
  );
}
