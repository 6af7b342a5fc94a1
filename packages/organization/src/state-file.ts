import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm, stat } from "node:fs/promises";

import { ConfigError, problemsOf } from "@binnacle/config";
import { Fault, sleep, type Clock } from "@binnacle/rpc";
import { z } from "zod";

import { isTokenHash } from "./token-hash.ts";

const stateSchema = z.strictObject({
  version: z.literal(1),
  tokens: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(64),
        user: z.string().min(1).max(256),
        name: z.string().min(1).max(255),
        hash: z.string().refine(isTokenHash, "must be the hash of a token"),
        created_at: z.iso.datetime(),
        expires_at: z.iso.datetime(),
      }),
    )
    .max(10_000),
});

/** What users changed on pages, beside the files that people write: personal access tokens, of which only hashes are in it. */
export type OrganizationState = z.output<typeof stateSchema>;
/** A personal access token that was created on a page. */
export type StateToken = OrganizationState["tokens"][number];

const EMPTY: OrganizationState = { version: 1, tokens: [] };
/** A process that has the lock for longer has ended under it. */
const STALE_MS = 10_000;
const RETRY_MS = 50;
const TRIES = 100;

/** The state in a text. @throws ConfigError that shows nothing of it */
export function parseState(file: string, text: string): OrganizationState {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new ConfigError("the state of the organization", [{ path: file, message: "is not JSON" }]);
  }
  const result = stateSchema.safeParse(content);
  if (result.success) return result.data;
  const problems = problemsOf(result.error).map(({ path, message }) => ({ path: path === "" ? file : `${file}: ${path}`, message }));
  throw new ConfigError("the state of the organization", problems.slice(0, 20));
}

/** The text of a state file; `undefined`: there is none yet. */
export async function readStateText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** The state file as the dashboard writes it; several of its processes share it. */
export class StateFile {
  readonly #file: string;
  readonly #clock: Clock;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** @throws ConfigError for a file that cannot be used */
  async read(): Promise<OrganizationState> {
    const text = await readStateText(this.#file);
    return text === undefined ? EMPTY : parseState(this.#file, text);
  }

  /**
   * Replaces the file in one step, while no other process does.
   *
   * @param change gets what is in the file now; what it throws leaves the file as it is
   * @throws Fault `conflict` when others write for seconds; ConfigError for a file that cannot be used, which is not overwritten
   */
  async change(change: (state: OrganizationState) => OrganizationState): Promise<void> {
    const unlock = await this.#lock();
    try {
      const next = stateSchema.parse(change(await this.read()));
      const temporary = `${this.#file}.${randomBytes(6).toString("hex")}.new`;
      try {
        const handle = await open(temporary, "wx", 0o600);
        try {
          await handle.writeFile(`${JSON.stringify(next, undefined, 2)}\n`);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(temporary, this.#file);
      } finally {
        await rm(temporary, { force: true });
      }
    } finally {
      await unlock();
    }
  }

  async #lock(): Promise<() => Promise<void>> {
    const file = `${this.#file}.lock`;
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        await (await open(file, "wx", 0o600)).close();
        return () => rm(file, { force: true });
      } catch (error) {
        if (!isCode(error, "EEXIST")) throw error;
        const isStale = await stat(file).then(
          ({ mtimeMs }) => Date.now() - mtimeMs > STALE_MS,
          () => false,
        );
        if (isStale) await rm(file, { force: true });
        else await sleep(this.#clock, RETRY_MS);
      }
    }
    throw new Fault("conflict", "the state file is being written by another process");
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
