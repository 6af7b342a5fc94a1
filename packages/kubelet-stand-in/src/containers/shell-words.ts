import { posix } from "node:path";

import type { ByteSink } from "../streams/byte-streams.ts";
import { FileError, type FileSystem } from "./file-system.ts";
import type { Script, Word } from "./shell-parser.ts";
import type { ShellState } from "./shell.ts";

/** What words are expanded with. */
export interface Expansion {
  readonly state: ShellState;
  readonly files: FileSystem;
  /** Runs a command substitution. */
  output(script: Script, stdout: ByteSink): Promise<void>;
}

const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_FIELDS = 10_000;

/** Expands words to the arguments of a command: variables, command substitution, field splitting, `*` and `?`, `~`. */
export async function expandWords(words: readonly Word[], expansion: Expansion): Promise<string[]> {
  const fields: string[] = [];
  for (const word of words) {
    fields.push(...(await fieldsOf(word, expansion)));
    if (fields.length > MAX_FIELDS) throw new FileError("Argument list too long");
  }
  return fields;
}

/** Expands one word without splitting it, as the target of a redirection. */
export async function expandWord(word: Word, expansion: Expansion): Promise<string> {
  const texts: string[] = [];
  for (const part of word) texts.push(part.kind === "text" ? part.text : await valueOf(part, expansion));
  return texts.join("");
}

async function fieldsOf(word: Word, expansion: Expansion): Promise<string[]> {
  const fields: { text: string; pattern: string; glob: boolean }[] = [];
  let open = false;
  const append = (text: string, quoted: boolean): void => {
    if (!open) fields.push({ text: "", pattern: "", glob: false });
    open = true;
    const field = fields.at(-1);
    if (field === undefined) return;
    field.text += text;
    field.pattern += quoted ? text.replaceAll(/[*?\\]/g, String.raw`\$&`) : text;
    if (!quoted && /[*?]/.test(text)) field.glob = true;
  };
  // An assignment is not split: NAME=$VALUE.
  const first = word.map((part) => (part.kind === "text" && !part.quoted ? part.text : "\0")).join("");
  const isAssignment = /^[A-Za-z_]\w*=/.test(first);
  for (const part of word) {
    if (part.kind === "text") append(part.text, part.quoted);
    else if (part.quoted || isAssignment) append(await valueOf(part, expansion), true);
    else {
      const value = await valueOf(part, expansion);
      for (const [index, piece] of value.split(/[ \t\n]+/).entries()) {
        if (index > 0) open = false;
        if (piece !== "") append(piece, false);
      }
    }
  }
  return fields.flatMap(({ text, pattern, glob }) => {
    if (/^~(?=$|\/)/.test(pattern) && word[0]?.kind === "text" && !word[0].quoted)
      return [`${expansion.state.variables.get("HOME") ?? "/root"}${text.slice(1)}`];
    return glob ? matching(pattern, text, expansion) : [text];
  });
}

async function valueOf(part: Exclude<Word[number], { readonly kind: "text" }>, expansion: Expansion): Promise<string> {
  if (part.kind === "variable") return variable(part.name, expansion.state) ?? part.fallback ?? "";
  const chunks: Buffer[] = [];
  let size = 0;
  await expansion.output(part.script, {
    write(chunk) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size <= MAX_OUTPUT_BYTES) chunks.push(bytes);
      return size <= MAX_OUTPUT_BYTES ? Promise.resolve() : Promise.reject(new FileError("command output too large"));
    },
  });
  const text = Buffer.concat(chunks).toString();
  let end = text.length;
  while (text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

function variable(name: string, state: ShellState): string | undefined {
  if (name === "?") return String(state.status);
  if (name === "$") return "1";
  if (name === "#") return String(Math.max(0, state.parameters.length - 1));
  if (name === "@" || name === "*") return state.parameters.slice(1).join(" ");
  if (/^\d$/.test(name)) return state.parameters[Number(name)];
  return state.variables.get(name);
}

/** Names of the last folder in a pattern that match it; the pattern itself when none does. */
function matching(pattern: string, text: string, { state, files }: Expansion): string[] {
  const folder = posix.dirname(text);
  const last = posix.basename(pattern);
  const node = files.find(posix.resolve(state.cwd, folder));
  if (node?.kind !== "folder" || /[*?]/.test(folder)) return [text];
  const names = [...node.entries.keys()].filter((name) => matches(last, name) && (!name.startsWith(".") || last.startsWith("."))).sort();
  return names.length === 0 ? [text] : names.map((name) => (text.includes("/") ? posix.join(folder, name) : name));
}

/** Matches with `*`, `?` and `\` in time linear to pattern × name: the pattern comes from a client. */
function matches(pattern: string, name: string): boolean {
  let reachable = new Set([0]);
  const closure = (states: Set<number>): Set<number> => {
    for (const state of states) if (pattern[state] === "*") states.add(state + 1);
    return states;
  };
  reachable = closure(reachable);
  for (const character of name) {
    const next = new Set<number>();
    for (const state of reachable) {
      if (pattern[state] === "*") next.add(state);
      else if (pattern[state] === "?") next.add(state + 1);
      else if (pattern[state] === "\\" && pattern[state + 1] === character) next.add(state + 2);
      else if (pattern[state] === character) next.add(state + 1);
    }
    reachable = closure(next);
  }
  return reachable.has(pattern.length);
}
