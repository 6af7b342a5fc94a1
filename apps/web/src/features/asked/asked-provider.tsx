"use client";
import { QueryClientProvider } from "@tanstack/react-query";
import { createContext, use, useState, type ReactNode } from "react";
import { createQueryClient } from "./query-client.ts";

const SessionEndContext = createContext(false);

/** Gives everything below it the answers of this page, and hears when one of its questions is refused because the session is over. */
export function AskedProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [ended, setEnded] = useState(false);
  const [client] = useState(() => createQueryClient({ ended: () => setEnded(true), alive: () => setEnded(false) }));
  return (
    <SessionEndContext value={ended}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </SessionEndContext>
  );
}

/** Whether the session is over, as far as anything was asked. */
export function useSessionEnd(): boolean {
  return use(SessionEndContext);
}
