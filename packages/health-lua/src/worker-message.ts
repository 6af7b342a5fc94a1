/** What the parent sends: one run. The resource is JSON text. */
export interface LuaJob {
  readonly script: string;
  readonly json: string;
}

/** How a run ended: a table, nothing, an error of the script, a limit, or a VM that broke. */
export interface LuaAnswer {
  readonly tag: "ok" | "nil" | "error" | "steps" | "memory" | "crash";
  readonly status: string;
  readonly message: string;
}

/** What the worker sends: "ready" whenever it waits for a job, and one answer per job. */
export type WorkerMessage = { readonly type: "ready" } | { readonly type: "answer"; readonly answer: LuaAnswer };
