"use client";
import { HydrationBoundary, QueryClientProvider, type DehydratedState } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { pageClient } from "./page-client.ts";

/** What a page was sent with of the answers that it would ask for. */
export interface SentAnswers {
  readonly answers?: DehydratedState | undefined;
}

/** Gives a page that asks while it is drawn for the first time the answers that it was sent with, and those that this browser has. */
export function QueryProvider({ answers, children }: SentAnswers & { readonly children: ReactNode }): ReactNode {
  const [client] = useState(pageClient);
  return (
    <QueryClientProvider client={client}>
      <HydrationBoundary state={answers}>{children}</HydrationBoundary>
    </QueryClientProvider>
  );
}
