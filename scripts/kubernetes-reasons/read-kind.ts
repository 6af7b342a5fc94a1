import { readFileSync } from "node:fs";
import { join } from "node:path";

import { constantsOf, type GoConstant } from "./go-constants.ts";
import { withoutComments } from "./go-text.ts";
import { CONSTANT_FILES, type Also, type KindSource, type SourceFile } from "./kinds.ts";
import { writtenConditions, type WrittenCondition } from "./written-conditions.ts";

/** A condition type of a kind with one of its reasons, and the statuses that it is written with; empty = the source does not say. */
export interface KindReason {
  /** Type of the condition; "phase" for phases, "waiting" for what containers wait for. */
  readonly type: string;
  /** Empty: written without one, or by a program outside of Kubernetes' own source. */
  readonly reason: string;
  readonly statuses: readonly string[];
}

/** Reads files of the modules. */
export class KindReader {
  readonly #directories: ReadonlyMap<string, string>;
  readonly #constants: readonly GoConstant[];

  /** @param directories where each module is, by its key in `MODULES` */
  constructor(directories: ReadonlyMap<string, string>) {
    this.#directories = directories;
    this.#constants = CONSTANT_FILES.flatMap((file) => constantsOf(this.#read(file)));
  }

  /** All condition types of a kind with their reasons, in order; throws when the source says something that is not understood. */
  reasonsOf(source: KindSource): KindReason[] {
    const constants = new Map(this.#constants.filter(({ name }) => name !== "").map(({ name, value }) => [name, value]));
    const unread = new Set<string>();
    const found: WrittenCondition[] = source.files.flatMap((file) =>
      writtenConditions(this.#read(file), source, { constants, unread: (expression) => unread.add(expression) }),
    );
    found.push(...source.also.flatMap((also) => this.#saidIn(also, constants)));
    for (const expression of source.passedOn) unread.delete(expression);
    if (unread.size > 0) throw new Error(`${source.kind}: not understood: ${[...unread].join(", ")}`);
    const written = new Set(found.map(({ type }) => type));
    const silent = this.#valuesOf(source.types).filter((type) => !written.has(type));
    found.push(...silent.map((type) => ({ type, reason: "", statuses: [] })));
    found.push(...this.#valuesOf(source.phases).map((reason) => ({ type: "phase", reason, statuses: [] })));
    return merged(found);
  }

  #valuesOf(types: readonly string[]): string[] {
    return this.#constants.filter(({ type }) => types.includes(type)).map(({ value }) => value);
  }

  /** Reasons that the table names: each must stand in its file, by its constant or as a text. */
  #saidIn({ file, type, status, reasons }: Also, constants: ReadonlyMap<string, string>): WrittenCondition[] {
    const source = this.#read(file);
    const own = new Map(constantsOf(source).map(({ name, value }) => [name, value]));
    return reasons.map((name) => {
      if (!new RegExp(`\\b${name}\\b`).test(source)) throw new Error(`${file.path} does not say ${name} any more`);
      return { type, reason: own.get(name) ?? constants.get(name) ?? name, statuses: status === "" ? [] : [status] };
    });
  }

  #read({ module, path }: SourceFile): string {
    return withoutComments(readFileSync(join(this.#directories.get(module) ?? "", path), "utf8"));
  }
}

function merged(found: readonly WrittenCondition[]): KindReason[] {
  const all = new Map<string, KindReason>();
  for (const { type, reason, statuses } of found) {
    const key = `${type}/${reason}`;
    const before = all.get(key)?.statuses ?? [];
    all.set(key, { type, reason, statuses: [...new Set([...before, ...statuses])].sort() });
  }
  return [...all.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, entry]) => entry);
}
