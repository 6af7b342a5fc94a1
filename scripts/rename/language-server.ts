import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A text that takes the place of another in a file; offsets in UTF-16 units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface WorkspaceEdit {
  readonly changes?: Readonly<Record<string, readonly { readonly range: Record<"start" | "end", Position>; readonly newText: string }[]>>;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** How imports of a renamed export are written: with its new name, or as `{ to as from }`, which leaves the importing file as it is. */
export type ImportStyle = "new name" | "alias";

/**
 * The language server of TypeScript (`tsc --lsp`). It knows the projects of the files that are open, and all files of these projects; of an
 * open file it takes the text that it was given last.
 */
export class LanguageServer {
  readonly #root: string;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #texts = new Map<string, { readonly text: string; readonly version: number }>();
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  /** @param root folder of the projects; @param tsc the compiler's program */
  static async start(root: string, { tsc, imports }: { readonly tsc: string; readonly imports: ImportStyle }): Promise<LanguageServer> {
    const server = new LanguageServer(root, tsc, imports);
    const uri = pathToFileURL(root).href;
    const capabilities = { workspace: { configuration: true } };
    await server.#request("initialize", { processId: process.pid, rootUri: uri, capabilities, workspaceFolders: [{ uri, name: "root" }] });
    server.#notify("initialized", {});
    return server;
  }

  private constructor(root: string, tsc: string, imports: ImportStyle) {
    this.#root = root;
    this.#process = spawn(tsc, ["--lsp", "--stdio"], { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
    this.#process.stdout.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      for (let message = this.#take(); message !== undefined; message = this.#take()) this.#handle(message, imports);
    });
    this.#process.once("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the language server ended"));
    });
  }

  /** Opens a file, or gives it another text. @param path from the root */
  open(path: string, text: string = readFileSync(join(this.#root, path), "utf8")): void {
    const known = this.#texts.get(path);
    if (known?.text === text) return;
    const version = (known?.version ?? 0) + 1;
    this.#texts.set(path, { text, version });
    const uri = this.#uriOf(path);
    if (known !== undefined) this.#notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
    else this.#notify("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version, text } });
  }

  /**
   * What a rename would change, by paths from the root.
   *
   * @param offset where the name stands in the file, which must be open
   * @throws Error when nothing can be renamed there
   */
  async rename(path: string, offset: number, newName: string): Promise<ReadonlyMap<string, readonly TextEdit[]>> {
    const textDocument = { uri: this.#uriOf(path) };
    const position = positionOf(this.#textOf(path), offset);
    const edit = (await this.#request("textDocument/rename", { textDocument, position, newName })) as WorkspaceEdit | null;
    if (edit?.changes === undefined) throw new Error(`${path}: nothing can be renamed at offset ${offset}`);
    const edits = new Map<string, readonly TextEdit[]>();
    for (const [uri, changes] of Object.entries(edit.changes)) {
      const changed = fileURLToPath(uri).slice(this.#root.length + 1);
      const text = this.#textOf(changed);
      edits.set(
        changed,
        changes.map(({ range, newText }) => ({ start: offsetOf(text, range.start), end: offsetOf(text, range.end), text: newText })),
      );
    }
    return edits;
  }

  async close(): Promise<void> {
    const ended = once(this.#process, "exit");
    await this.#request("shutdown", undefined);
    this.#notify("exit", undefined);
    this.#process.stdin.end();
    await ended;
  }

  #textOf(path: string): string {
    return this.#texts.get(path)?.text ?? readFileSync(join(this.#root, path), "utf8");
  }

  #uriOf(path: string): string {
    return pathToFileURL(join(this.#root, path)).href;
  }

  async #request(method: string, params: unknown): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = Promise.withResolvers<Message>();
    this.#waiting.set(id, answered);
    this.#send({ id, method, params });
    const { result, error } = await answered.promise;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  #notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  /** The next message that has arrived in full. */
  #take(): Message | undefined {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const length = Number(/Content-Length: (\d+)/i.exec(this.#received.toString("latin1", 0, end))?.[1]);
    if (this.#received.length < end + 4 + length) return undefined;
    const body = this.#received.toString("utf8", end + 4, end + 4 + length);
    this.#received = this.#received.subarray(end + 4 + length);
    return JSON.parse(body) as Message;
  }

  #handle(message: Message, imports: ImportStyle): void {
    if (message.id === undefined) return;
    if (message.method === undefined) {
      this.#waiting.get(message.id)?.resolve(message);
      this.#waiting.delete(message.id);
    } else {
      const preferences = { useAliasesForRenames: imports === "alias" };
      const isConfiguration = message.method === "workspace/configuration";
      this.#send({ id: message.id, result: isConfiguration ? (message.params?.items ?? []).map(() => ({ preferences })) : null });
    }
  }
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

function offsetOf(text: string, { line, character }: Position): number {
  let start = 0;
  for (let each = 0; each < line; each += 1) start = text.indexOf("\n", start) + 1;
  return start + character;
}
