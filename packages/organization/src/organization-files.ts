import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { ConfigError } from "@binnacle/config";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { Organization } from "./organization.ts";
import { readStateText } from "./state-file.ts";
import { parseOrganization, type OrganizationText } from "./parse-organization.ts";

/** Files are polled, not watched: Kubernetes replaces mounted files by a symbolic link. A change is in use within 10 s. */
const POLL_MS = 5_000;
const MAX_FILES = 500;
const MAX_BYTES = 16 * 1024 * 1024;

/** Where an organization is read from. */
export interface OrganizationFilesOptions {
  /** A YAML file, or a folder whose `*.yaml` and `*.yml` files are joined; folders in it are not read. */
  readonly path: string;
  /** What users changed on pages; absent, or a file that does not exist: nothing. */
  readonly statePath?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** An organization that follows its files. Files that cannot be used change nothing; the log names each mistake with line and column, once. */
export class OrganizationFiles {
  readonly #options: OrganizationFilesOptions;
  readonly #listeners = new Set<(organization: Organization) => void>();
  #current: Organization;
  #digest: string;
  /** Digest or error of the last files that could not be used. */
  #refused = "";
  #cancel: () => void;
  #isClosed = false;

  private constructor(options: OrganizationFilesOptions, first: { readonly organization: Organization; readonly digest: string }) {
    this.#options = options;
    this.#current = first.organization;
    this.#digest = first.digest;
    this.#cancel = options.clock.after(POLL_MS, () => void this.#poll());
  }

  /** Reads the files and follows them. @throws ConfigError when they cannot be used at the start */
  static async open(options: OrganizationFilesOptions): Promise<OrganizationFiles> {
    const { texts, state } = await readAll(options);
    return new OrganizationFiles(options, { organization: parseOrganization(texts, state), digest: digestOf(texts, state) });
  }

  /** What the files held when they could last be used. */
  get current(): Organization {
    return this.#current;
  }

  /** @param listener called with each new organization, after `current` has changed @returns removes it */
  subscribe(listener: (organization: Organization) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** Never rejects. */
  async #poll(): Promise<void> {
    const { path, clock, log } = this.#options;
    let digest = "";
    try {
      const { texts, state } = await readAll(this.#options);
      digest = digestOf(texts, state);
      if (!this.#isClosed && digest !== this.#digest && digest !== this.#refused) this.#use(parseOrganization(texts, state), digest);
      if (digest === this.#digest) this.#refused = "";
    } catch (error) {
      const refused = digest === "" ? String(error) : digest;
      if (!this.#isClosed && refused !== this.#refused) {
        const problems =
          error instanceof ConfigError ? error.problems.map(({ path: at, message }) => `${at}: ${message}`) : [String(error)];
        log.error({ path, problems }, "the organization's files cannot be used; what was in use before stays in use");
      }
      this.#refused = refused;
    }
    if (!this.#isClosed) this.#cancel = clock.after(POLL_MS, () => void this.#poll());
  }

  #use(organization: Organization, digest: string): void {
    this.#current = organization;
    this.#digest = digest;
    this.#options.log.info({ path: this.#options.path }, "the organization's files have changed and are in use");
    for (const listener of this.#listeners) listener(organization);
  }
}

/** The files, and the state where there is one. @throws ConfigError */
async function readAll({ path, statePath }: Pick<OrganizationFilesOptions, "path" | "statePath">) {
  const texts = await readTexts(path);
  const text = statePath === undefined ? undefined : await stateTextOf(statePath);
  return { texts, state: text === undefined || statePath === undefined ? undefined : { file: statePath, text } };
}

async function stateTextOf(path: string): Promise<string | undefined> {
  try {
    return await readStateText(path);
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new ConfigError("the state of the organization", [{ path, message }]);
  }
}

/** @throws ConfigError for what cannot be read, or is too much */
async function readTexts(path: string): Promise<OrganizationText[]> {
  try {
    const names = (await stat(path)).isDirectory() ? await yamlFilesIn(path) : [path];
    if (names.length > MAX_FILES) throw new ConfigError("the organization", [{ path, message: `has over ${MAX_FILES} files` }]);
    const texts: OrganizationText[] = [];
    let bytes = 0;
    for (const file of names) {
      bytes += (await stat(file)).size;
      if (bytes > MAX_BYTES)
        throw new ConfigError("the organization", [{ path: file, message: `makes the organization larger than ${MAX_BYTES} bytes` }]);
      texts.push({ file, text: await readFile(file, "utf8") });
    }
    return texts;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new ConfigError("the organization", [{ path, message }]);
  }
}

async function yamlFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder);
  const names = entries.filter((name) => /^[^.].*\.ya?ml$/.test(name)).toSorted();
  if (names.length === 0)
    throw new ConfigError("the organization", [{ path: folder, message: "has no file that ends with .yaml or .yml" }]);
  return names.map((name) => join(folder, name));
}

function digestOf(texts: readonly OrganizationText[], state: OrganizationText | undefined): string {
  const hash = createHash("sha256");
  for (const { file, text } of state === undefined ? texts : [...texts, state]) hash.update(`${file}\0${Buffer.byteLength(text)}\0${text}`);
  return hash.digest("hex");
}
