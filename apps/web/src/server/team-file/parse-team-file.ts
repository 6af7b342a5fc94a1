import { parseCustomEdges, type CustomEdgeRule } from "@binnacle/graph";
import { parseRules, type UserRule } from "@binnacle/health-lua";
import type { z } from "zod";

import { secretRuleProblem } from "../config/custom-edges.ts";
import type { TeamEnvironment, TeamFile } from "./team-file.ts";
import {
  environmentSchema,
  healthSchema,
  kindSchema,
  MAX_ENTRIES,
  MAX_TEAM_FILE_BYTES,
  TEAM_FILE_PATH,
  teamFileSchema,
  viewSchema,
  weightSchema,
} from "./team-file-schema.ts";
import { pathText, readTeamYaml, type TeamFileProblem, type TeamYaml, type YamlPath } from "./team-yaml.ts";

const MAX_PROBLEMS = 100;
/** The main application lets no name be longer. */
const MAX_NAME = 255;
const MAX_MESSAGE = 300;
const SECTIONS = Object.keys(teamFileSchema.shape);

/** A file that says nothing. */
const NOTHING: Omit<TeamFile, "problems"> = {
  environments: [],
  edges: [],
  health: [],
  hidden: [],
  weights: new Map(),
  views: new Map(),
};

/** Longer words are not compared: they are no typing errors. */
const MAX_CHARACTERS = 40;

/**
 * Reads a project's file. Every entry stands for itself: one that is wrong is left out and named, the others hold. Pure and bounded: 64 KiB,
 * 100 entries a section, work linear in the text. Never throws.
 */
export function parseTeamFile(text: string): TeamFile {
  const refused = whyRefused(text);
  if (refused !== undefined) return { ...NOTHING, problems: [refused] };
  const yaml = readTeamYaml(text);
  if (yaml.content === undefined) return { ...NOTHING, problems: yaml.problems };
  return new Reading(yaml).file();
}

/** What is wrong with the text as a whole. */
function whyRefused(text: string): TeamFileProblem | undefined {
  // A character is a byte at least: what is much too long is not measured.
  if (text.length > MAX_TEAM_FILE_BYTES || new TextEncoder().encode(text).length > MAX_TEAM_FILE_BYTES) {
    return { line: 1, path: "", message: `it is longer than ${MAX_TEAM_FILE_BYTES / 1024} KiB; nothing of it is read` };
  }
  // U+FFFD is what bytes become that are no UTF-8.
  const at = text.search(/[\0\uFFFD]/);
  if (at < 0) return undefined;
  return {
    line: text.slice(0, at).split("\n").length,
    path: "",
    message: "it is not text in UTF-8; nothing of it is read. Save it as UTF-8",
  };
}

class Reading {
  readonly #yaml: TeamYaml;
  readonly #problems: TeamFileProblem[];

  constructor(yaml: TeamYaml) {
    this.#yaml = yaml;
    this.#problems = [...yaml.problems];
  }

  file(): TeamFile {
    const { content } = this.#yaml;
    // An empty file says nothing, and nothing wrong.
    if (content === null) return { ...NOTHING, problems: this.#problems };
    if (!isMap(content)) {
      this.#note([], `it must be a map with ${SECTIONS.join(", ")}`);
      return { ...NOTHING, problems: this.#sorted() };
    }
    for (const key of this.#yaml.keysAt([])) if (!SECTIONS.includes(key)) this.#unknown([key], SECTIONS);
    const environments = this.#entriesOf(["environments"]).flatMap((name) => this.#environment(name) ?? []);
    const edges = this.#edges();
    const health = this.#health();
    const hidden = this.#itemsOf(["hidden"]).flatMap((path) => this.#parse(kindSchema, path) ?? []);
    const weights = new Map(this.#entriesOf(["weights"]).flatMap((kind) => this.#weight(kind)));
    const views = new Map(this.#entriesOf(["views"]).flatMap((name) => this.#view(name)));
    return { environments, edges, health, hidden, weights, views, problems: this.#sorted() };
  }

  #environment(name: string): TeamEnvironment | undefined {
    const path = ["environments", name];
    if (name === "" || name.length > MAX_NAME) return this.#note(path, `the name of an environment has 1 to ${MAX_NAME} characters`);
    const entry = this.#parse(environmentSchema, path, Object.keys(environmentSchema.shape));
    return entry && { name, line: this.#yaml.lineOf(path), entry };
  }

  #edges(): CustomEdgeRule[] {
    const taken = new Set<string>();
    return this.#itemsOf(["edges"]).flatMap((path) => {
      const { rules, problems } = parseCustomEdges([this.#at(path)]);
      for (const { field, message } of problems) this.#note([...path, ...field.split(".").filter(Boolean)], message);
      const [rule] = rules;
      if (rule === undefined || problems.length > 0) return [];
      const secret = secretRuleProblem(rule);
      if (secret !== undefined) return this.#noteAll([...path, ...secret.field.split(".")], secret.message);
      if (taken.has(rule.id)) return this.#noteAll([...path, "id"], `"${rule.id}" is taken by an edge before; give each an id of its own`);
      taken.add(rule.id);
      return [rule];
    });
  }

  #health(): UserRule[] {
    const known = Object.keys(healthSchema.shape);
    for (const key of this.#entriesOf(["health"])) if (!known.includes(key)) this.#unknown(["health", key], known);
    const expressions = this.#itemsOf(["health", "healthCheckExprs"]).flatMap((path) =>
      this.#rules(path, { healthCheckExprs: [this.#at(path)] }),
    );
    const scripts = this.#entriesOf(["health", "resourceCustomizations"]).flatMap((kind) => {
      const path = ["health", "resourceCustomizations", kind];
      const map: Record<string, unknown> = Object.create(null);
      map[kind] = this.#at(path);
      const rules = this.#rules(path, { resourceCustomizations: map });
      if (rules.length === 0) this.#note(path, "has no health.lua; give it the script of Argo CD, or take it away");
      return rules;
    });
    return [...expressions, ...scripts];
  }

  /** Rules that cannot run are left out here: the operator's file, or what is built in, knows better. */
  #rules(path: YamlPath, content: Readonly<Record<string, unknown>>): readonly UserRule[] {
    const where = `${TEAM_FILE_PATH}, line ${this.#yaml.lineOf(path)}`;
    const { rules, problems } = parseRules(content, () => where);
    for (const problem of problems) this.#note(path, problem.startsWith(`${where}: `) ? problem.slice(where.length + 2) : problem);
    return rules.filter((rule) => rule.problem === undefined);
  }

  #weight(kind: string): [string, "count" | "ignore"][] {
    const path = ["weights", kind];
    const name = kindSchema.safeParse(kind);
    if (!name.success) return this.#noteAll(path, name.error.issues[0]?.message ?? "");
    const weight = this.#parse(weightSchema, path);
    return weight === undefined ? [] : [[kind, weight]];
  }

  #view(name: string): [string, string][] {
    const path = ["views", name];
    if (name === "" || name.length > MAX_NAME) return this.#noteAll(path, `the name of a view has 1 to ${MAX_NAME} characters`);
    const view = this.#parse(viewSchema, path, Object.keys(viewSchema.shape));
    return view === undefined ? [] : [[name, view.query]];
  }

  /** Keys of the map at a place, without those in which something was not read; at most 100. */
  #entriesOf(path: YamlPath): readonly string[] {
    const content = this.#at(path);
    if (content === undefined || content === null) return [];
    if (!isMap(content)) return this.#noteAll(path, "must be a map");
    return this.#bounded(path, this.#yaml.keysAt(path)).filter((key) => !this.#yaml.isBroken([...path, key]));
  }

  /** Places of the entries of a list, without those in which something was not read; at most 100. */
  #itemsOf(path: YamlPath): readonly YamlPath[] {
    const content = this.#at(path);
    if (content === undefined || content === null) return [];
    if (!Array.isArray(content)) return this.#noteAll(path, "must be a list");
    const places = this.#bounded(path, [...content.keys()]).map((place) => [...path, place]);
    return places.filter((place) => !this.#yaml.isBroken(place));
  }

  #bounded<T>(path: YamlPath, entries: readonly T[]): readonly T[] {
    if (entries.length <= MAX_ENTRIES) return entries;
    this.#note(path, `has ${entries.length} entries; those after the first ${MAX_ENTRIES} are left out`);
    return entries.slice(0, MAX_ENTRIES);
  }

  /** @param known keys of the entry, when it is a map of such */
  #parse<T>(schema: z.ZodType<T>, path: YamlPath, known: readonly string[] = []): T | undefined {
    const parsed = schema.safeParse(this.#at(path));
    if (parsed.success) return parsed.data;
    const { issues } = parsed.error;
    for (const issue of issues) {
      // What an entry as a whole lacks is no news beside what is wrong in it.
      if (issue.code === "custom" && issue.path.length === 0 && issues.length > 1) continue;
      const at = [...path, ...issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))];
      if (issue.code === "unrecognized_keys") for (const key of issue.keys) this.#unknown([...at, key], known);
      else if (issue.code === "invalid_key") this.#note(at, issue.issues[0]?.message ?? issue.message);
      else this.#note(at, issue.message);
    }
    return undefined;
  }

  #at(path: YamlPath): unknown {
    let found: unknown = this.#yaml.content;
    for (const step of path) {
      if (typeof found !== "object" || found === null) return undefined;
      // Own keys only, of lists too: "length" is none that anybody wrote.
      const own = Object.getOwnPropertyDescriptor(found, step);
      found = own?.enumerable === true ? own.value : undefined;
    }
    return found;
  }

  #unknown(path: YamlPath, known: readonly string[]): void {
    if (this.#problems.length >= MAX_PROBLEMS) return;
    const nearest = nearestKey(String(path.at(-1)), known);
    const meant = nearest === undefined ? "" : `did you mean ${nearest}? `;
    this.#note(path, `is not known; ${meant}known: ${known.join(", ")}`);
  }

  #noteAll(path: YamlPath, message: string): never[] {
    this.#note(path, message);
    return [];
  }

  #note(path: YamlPath, message: string): undefined {
    if (this.#problems.length >= MAX_PROBLEMS) return undefined;
    const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
    this.#problems.push({ line: this.#yaml.lineOf(path), path: pathText(path), message: text });
    return undefined;
  }

  #sorted(): TeamFileProblem[] {
    return this.#problems.toSorted((a, b) => a.line - b.line);
  }
}

function isMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The known key that was probably meant; `undefined` when none is near: a third of its characters may be wrong. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  if (key.length > MAX_CHARACTERS) return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const each of known) {
    const distance = distanceBetween(key.toLowerCase(), each.toLowerCase());
    if (distance < least && distance <= Math.max(1, Math.floor(each.length / 3))) [nearest, least] = [each, distance];
  }
  return nearest;
}

/** Characters to put in, take out or replace (Levenshtein). */
function distanceBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [line, character] of Array.from(left).entries()) {
    const next = [line + 1];
    for (const [at, other] of Array.from(right).entries()) {
      const replaced = (row[at] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
