import type { Metadata } from "next";
import type { ReactNode } from "react";
import { QueryProvider } from "../../src/features/queries/query-provider.tsx";
import { createQueryClient } from "../../src/features/queries/query-client.ts";
import { browserClock } from "../../src/features/live/browser-clock.ts";
import { sessionQuery } from "../../src/features/session/session-info.ts";
import { SignInPage } from "../../src/features/session/sign-in-page.tsx";
import { documentCalls } from "../../src/first-html/document-calls.ts";
import { firstAnswers } from "../../src/first-html/first-answers.ts";
import { t } from "../../src/ui/messages.ts";

/** Title: "Sign in". */
export function generateMetadata(): Metadata {
  return {
    title: t("session/sign-in"),
    // Elsewhere no page says where it was; but under "no-referrer" a browser without scripts would post this form with `Origin: null`.
    referrer: "same-origin",
  };
}

/** Both ways in: the main application's session, or a personal access token. */
export default async function Page(): Promise<ReactNode> {
  const calls = await documentCalls();
  const client = createQueryClient();
  const asking = calls === undefined ? [] : [client.prefetchQuery({ ...sessionQuery(calls.session), retry: false })];
  return (
    <QueryProvider answers={await firstAnswers(client, asking, browserClock)}>
      <SignInPage />
    </QueryProvider>
  );
}
