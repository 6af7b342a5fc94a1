import { LuaFactory, type LuaEngine } from "wasmoon";

import { PRELUDE } from "./prelude.ts";
import type { RuleAnswer } from "./worker-message.ts";

const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const MAX_INSTRUCTIONS = 1_000_000;
const RUNS_PER_VM = 1000;
const SEPARATOR = "\u0001";

type Run = (script: string, json: string, instructions: number) => unknown;

const TAGS: Readonly<Record<string, RuleAnswer["tag"]>> = { ok: "ok", nil: "nil", error: "error", steps: "steps", memory: "memory" };

/** One bounded Lua VM, replaced every 1,000 runs and after every run that hit a limit. Call `renewIfWorn` between runs. */
export class LuaVm {
  #factory = new LuaFactory();
  #engine: LuaEngine | undefined;
  #run: Run | undefined;
  #runs = 0;
  #worn = true;

  /** Whether `renewIfWorn` has something to do. */
  get worn(): boolean {
    return this.#worn;
  }

  /** Evaluates one script; never throws. The resource is JSON text as `JSON.stringify` writes it. */
  evaluate(script: string, json: string): RuleAnswer {
    this.#runs += 1;
    if (this.#runs >= RUNS_PER_VM) this.#worn = true;
    try {
      const answer = parse(this.#run?.(script, json, MAX_INSTRUCTIONS));
      if (answer.tag !== "ok" && answer.tag !== "nil" && answer.tag !== "error") this.#worn = true;
      return answer;
    } catch (error) {
      this.#worn = true;
      return { tag: "crash", status: "", message: error instanceof Error ? error.message : "The Lua VM failed" };
    }
  }

  /** Makes a new VM (about 8 ms) when there is none or the old one has done its work. */
  async renewIfWorn(): Promise<void> {
    if (!this.#worn) return;
    this.#close();
    // A new module too: the memory of WebAssembly never shrinks.
    this.#factory = new LuaFactory();
    const engine = await this.#factory.createEngine({ injectObjects: false, enableProxy: false, traceAllocations: true });
    engine.global.setMemoryMax(MAX_MEMORY_BYTES);
    const run: unknown = engine.doStringSync(PRELUDE);
    if (typeof run !== "function") throw new Error("The Lua prelude did not return a function");
    this.#engine = engine;
    // The prelude returns exactly this function.
    this.#run = run as Run;
    this.#runs = 0;
    this.#worn = false;
  }

  #close(): void {
    this.#run = undefined;
    try {
      this.#engine?.global.close();
    } catch {
      // A VM that crashed cannot always be closed; its memory goes with the module.
    }
    this.#engine = undefined;
  }
}

function parse(result: unknown): RuleAnswer {
  const [tag, status, ...message] = typeof result === "string" ? result.split(SEPARATOR) : [];
  const known = tag === undefined ? undefined : TAGS[tag];
  if (known === undefined || status === undefined) return { tag: "crash", status: "", message: "The Lua VM gave no answer" };
  return { tag: known, status, message: message.join(SEPARATOR) };
}
