import { Expressions, type SearchThread, type ThreadEvents } from "@binnacle/pod-logs/expressions";
import { browserClock } from "../../live/browser-clock.ts";

let opened: Expressions | undefined;

/** The expressions of this page, in a worker that starts with the first of them and ends when none is used. */
export function pageExpressions(): Expressions {
  opened ??= new Expressions({ clock: browserClock, startThread: (events) => threadOf(openWorker(), events) });
  return opened;
}

function openWorker(): Worker {
  return new Worker(new URL("./search.worker.ts", import.meta.url), { type: "module" });
}

/** A worker as a thread. It is written by this build and answers with its types. */
export function threadOf(
  worker: Pick<Worker, "addEventListener" | "postMessage" | "terminate">,
  { answered, died }: ThreadEvents,
): SearchThread {
  worker.addEventListener("error", died);
  worker.addEventListener("messageerror", died);
  worker.addEventListener("message", (event: MessageEvent<Parameters<typeof answered>[0]>) => answered(event.data));
  return {
    send: (request, moved) => worker.postMessage(request, moved),
    end: () => worker.terminate(),
  };
}
