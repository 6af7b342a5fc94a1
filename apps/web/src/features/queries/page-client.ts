import type { QueryClient } from "@tanstack/react-query";
import { createQueryClient } from "./query-client.ts";
import { sessionEnd } from "./session-end.ts";

/** Takes over answers that a page was sent with; what is there and newer stays. */
export { hydrate } from "@tanstack/react-query";

let client: QueryClient | undefined;

/** The client of this page of a browser, one for all that it shows; on the server another one for each request, so that no user meets another's. */
export function pageClient(): QueryClient {
  if (typeof window === "undefined") return createQueryClient();
  return (client ??= createQueryClient({
    ended: () => {
      sessionEnd.value = true;
    },
    alive: () => {
      sessionEnd.value = false;
    },
  }));
}
