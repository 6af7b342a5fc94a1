import type { EngineAnswer, EngineRequest } from "@binnacle/presentation/layout/graph-engine";

/** What answers requests: the worker, or in a test the engine itself. */
export interface LayoutPort {
  /** `answer` gets whatever came back, which may be nothing that can be read. */
  send(request: EngineRequest, answer: (answer: unknown) => void): void;
  close(): void;
}

/** Starts a layout. It calls `died` when it cannot answer any more, and may throw when it cannot be started at all. */
export type OpenLayout = (died: () => void) => LayoutPort;

/** The layout in its own thread. */
export function openWorker(died: () => void): LayoutPort {
  return portOf(new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" }), died);
}

/** A worker as a port. Answers to nothing, and second ones, are left out. */
export function portOf(worker: Pick<Worker, "addEventListener" | "postMessage" | "terminate">, died: () => void): LayoutPort {
  const waiting = new Map<unknown, (answer: unknown) => void>();
  let seq = 0;
  worker.addEventListener("error", died);
  worker.addEventListener("messageerror", died);
  worker.addEventListener("message", (event: MessageEvent<unknown>) => {
    const data = event.data;
    if (typeof data !== "object" || data === null || !("seq" in data) || !("answer" in data)) return died();
    const answer = waiting.get(data.seq);
    waiting.delete(data.seq);
    answer?.(data.answer);
  });
  return {
    send(request, answer) {
      seq += 1;
      waiting.set(seq, answer);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage({ seq, request });
    },
    close: () => worker.terminate(),
  };
}

/** Whether something has the shape of an answer, down to what a picture is made of. */
export function isAnswer(value: unknown): value is EngineAnswer {
  const answer = fieldsOf(value);
  return (
    listOf(answer["cards"])?.every((placed) => isNamed(fieldsOf(placed)["card"]) && isSlot(fieldsOf(placed)["slot"])) === true &&
    listOf(answer["edges"])?.every(isNamed) === true &&
    [answer["removedCards"], answer["removedEdges"]].every((ids) => listOf(ids)?.every((id) => typeof id === "string") === true) &&
    ["total", "hidden"].every((name) => Number.isFinite(answer[name]))
  );
}

function isNamed(value: unknown): boolean {
  return typeof fieldsOf(value)["id"] === "string";
}

function isSlot(value: unknown): boolean {
  const slot = fieldsOf(value);
  return ["lane", "column", "row"].every((name) => Number.isFinite(slot[name]));
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  // An object that is not null has fields; what they hold stays unknown.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
