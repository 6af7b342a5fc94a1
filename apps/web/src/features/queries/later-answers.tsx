"use client";
import { QueryClientContext } from "@tanstack/react-query";
import { useEffect, useMemo, type ReactNode } from "react";
import { LazyCode, LazyNeed, useLazyCode } from "../../ui/lazy-code.ts";
import type { SentAnswers } from "./query-provider.tsx";

const LAZY_CLIENT = new LazyCode(async () => {
  const { hydrate, pageClient } = await import("./page-client.ts");
  return { client: pageClient(), hydrate };
});

/**
 * Gives lazy code below it the answers that this browser has, and those that the page was sent with. Nothing asks before the first picture,
 * so what asks and keeps answers comes after it; lazy code is drawn when both have come.
 */
export function LaterAnswers({ answers, children }: SentAnswers & { readonly children: ReactNode }): ReactNode {
  const lazyClient = useLazyCode(LAZY_CLIENT, true);
  const { code } = lazyClient;
  // While it is drawn, as `HydrationBoundary` does: what reads the answers is drawn in the same pass.
  const client = useMemo(() => {
    if (code !== undefined && answers !== undefined) code.hydrate(code.client, answers);
    return code?.client;
  }, [code, answers]);
  useEffect(() => {
    client?.mount();
    return () => client?.unmount();
  }, [client]);
  return (
    <LazyNeed value={lazyClient}>
      <QueryClientContext value={client}>{children}</QueryClientContext>
    </LazyNeed>
  );
}
