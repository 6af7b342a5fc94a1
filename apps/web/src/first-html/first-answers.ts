import { settlesWithin, type Clock } from "@binnacle/rpc";
import { dehydrate, type DehydratedState, type QueryClient } from "@tanstack/react-query";
import { WAIT_MS } from "./wait.ts";

/** What was answered within 300 ms, for the HTML. What was not, or not well, the browser asks itself. @param asking prefetches of the client */
export async function firstAnswers(client: QueryClient, asking: readonly Promise<void>[], clock: Clock): Promise<DehydratedState> {
  await settlesWithin(Promise.all(asking), WAIT_MS, clock);
  const answers = dehydrate(client);
  void client.cancelQueries();
  return answers;
}
