import { posix } from "node:path";

/** A regular file. Its content is a list of chunks, so that appending copies nothing. */
export interface FileNode {
  readonly kind: "file";
  mode: number;
  mtimeMs: number;
  chunks: Buffer[];
  size: number;
}

/** A folder. */
export interface FolderNode {
  readonly kind: "folder";
  mode: number;
  mtimeMs: number;
  readonly entries: Map<string, Node>;
}

/** A symbolic link. */
interface LinkNode {
  readonly kind: "link";
  mode: number;
  mtimeMs: number;
  readonly target: string;
}

/** What a name in a folder leads to. */
export type Node = FileNode | FolderNode | LinkNode;

/** An error with the words of the C library (`strerror`). */
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FileError";
  }
}

/** Bytes that the files of all containers may have together. */
export interface FileBudget {
  readonly maxBytes: number;
  usedBytes: number;
}

/** Bounds of one file system. */
export interface FileSystemLimits {
  readonly maxBytes: number;
  readonly maxNodes: number;
}

const LIMITS: FileSystemLimits = { maxBytes: 256 * 1024 * 1024, maxNodes: 20_000 };
const MAX_LINKS = 16;
const MAX_NAME = 255;
const MAX_PATH = 4096;

/** Files and folders of one container, in memory. Paths are absolute POSIX paths. */
export class FileSystem {
  readonly root: FolderNode;
  readonly #limits: FileSystemLimits;
  readonly #now: () => number;
  readonly #budget: FileBudget;
  #isDisposed = false;
  #bytes = 0;
  #nodes = 0;

  /**
   * @param now time for new files, in milliseconds
   * @param budget shared with other file systems
   */
  constructor(now: () => number, budget: FileBudget, limits: FileSystemLimits = LIMITS) {
    this.#now = now;
    this.#budget = budget;
    this.#limits = limits;
    this.root = { kind: "folder", mode: 0o755, mtimeMs: now(), entries: new Map() };
  }

  /** The node at a path, links followed; `undefined` when there is none. */
  find(path: string): Node | undefined {
    return this.#walk(path, true, 0);
  }

  /** The node at a path; a link at its end is not followed. */
  findLink(path: string): Node | undefined {
    return this.#walk(path, false, 0);
  }

  /** @throws FileError */
  file(path: string): FileNode {
    const node = this.find(path);
    if (node === undefined) throw new FileError("No such file or directory");
    if (node.kind !== "file") throw new FileError("Is a directory");
    return node;
  }

  /** @throws FileError */
  folder(path: string): FolderNode {
    const node = this.find(path);
    if (node === undefined) throw new FileError("No such file or directory");
    if (node.kind !== "folder") throw new FileError("Not a directory");
    return node;
  }

  /** Opens a file for writing: it is created, and emptied unless `append` is set. @throws FileError */
  open(path: string, { append = false, mode = 0o644 }: { readonly append?: boolean; readonly mode?: number } = {}): FileNode {
    const present = this.find(path);
    if (present?.kind === "folder") throw new FileError("Is a directory");
    if (present?.kind === "file") {
      if (!append) this.#truncate(present);
      return present;
    }
    const file: FileNode = { kind: "file", mode, mtimeMs: this.#now(), chunks: [], size: 0 };
    this.#add(path, file);
    return file;
  }

  /** Adds bytes to a file. @throws FileError when the file system is full */
  append(file: FileNode, chunk: Buffer): void {
    const isFull = this.#bytes + chunk.length > this.#limits.maxBytes || this.#budget.usedBytes + chunk.length > this.#budget.maxBytes;
    if (isFull || this.#isDisposed) throw new FileError("No space left on device");
    this.#bytes += chunk.length;
    this.#budget.usedBytes += chunk.length;
    file.chunks.push(chunk);
    file.size += chunk.length;
    file.mtimeMs = this.#now();
  }

  /** @throws FileError */
  write(path: string, content: string | Buffer, mode = 0o644): void {
    this.append(this.open(path, { mode }), Buffer.from(content));
  }

  /** @param parents make missing parents too, and do not fail when the folder exists @throws FileError */
  makeFolder(path: string, parents = false): void {
    const present = this.find(path);
    if (present !== undefined) {
      if (parents && present.kind === "folder") return;
      throw new FileError("File exists");
    }
    const above = posix.dirname(path);
    if (parents && this.find(above) === undefined) this.makeFolder(above, true);
    this.#add(path, { kind: "folder", mode: 0o755, mtimeMs: this.#now(), entries: new Map() });
  }

  /** @throws FileError */
  makeLink(path: string, target: string): void {
    if (this.findLink(path) !== undefined) throw new FileError("File exists");
    this.#add(path, { kind: "link", mode: 0o777, mtimeMs: this.#now(), target });
  }

  /** @param recursive also folders with all they hold @throws FileError */
  remove(path: string, recursive = false): void {
    const node = this.findLink(path);
    if (node === undefined) throw new FileError("No such file or directory");
    if (node.kind === "folder" && !recursive) throw new FileError("Is a directory");
    if (node === this.root) throw new FileError("Permission denied");
    this.folder(posix.dirname(path)).entries.delete(posix.basename(path));
    this.#release(node);
  }

  /** Moves a node to a path that is free or holds a file. @throws FileError */
  move(from: string, to: string): void {
    const node = this.findLink(from);
    if (node === undefined) throw new FileError("No such file or directory");
    if (`${to}/`.startsWith(`${from}/`)) throw new FileError("Invalid argument");
    if (this.findLink(to) !== undefined) this.remove(to);
    this.folder(posix.dirname(to)).entries.set(posix.basename(to), node);
    this.folder(posix.dirname(from)).entries.delete(posix.basename(from));
  }

  /** Gives its bytes back to the budget; nothing can be written any more. */
  dispose(): void {
    if (!this.#isDisposed) this.#budget.usedBytes -= this.#bytes;
    this.#isDisposed = true;
  }

  #walk(path: string, follow: boolean, links: number): Node | undefined {
    if (path.length > MAX_PATH) throw new FileError("File name too long");
    const parts = posix
      .normalize(path)
      .split("/")
      .filter((part) => part !== "" && part !== ".");
    let current: Node = this.root;
    for (const [index, part] of parts.entries()) {
      if (current.kind !== "folder") return undefined;
      const next = current.entries.get(part);
      if (next === undefined) return undefined;
      const isLast = index === parts.length - 1;
      if (next.kind === "link" && (follow || !isLast)) {
        if (links >= MAX_LINKS) throw new FileError("Too many levels of symbolic links");
        const above = `/${parts.slice(0, index).join("/")}`;
        const rest = parts.slice(index + 1).join("/");
        return this.#walk(posix.join(posix.resolve(above, next.target), rest), follow, links + 1);
      }
      current = next;
    }
    return current;
  }

  #add(path: string, node: Node): void {
    const name = posix.basename(path);
    if (Buffer.byteLength(name) > MAX_NAME) throw new FileError("File name too long");
    const folder = this.folder(posix.dirname(path));
    if (this.#nodes >= this.#limits.maxNodes) throw new FileError("No space left on device");
    this.#nodes += 1;
    folder.entries.set(name, node);
    folder.mtimeMs = this.#now();
  }

  #truncate(file: FileNode): void {
    this.#bytes -= file.size;
    if (!this.#isDisposed) this.#budget.usedBytes -= file.size;
    file.chunks = [];
    file.size = 0;
  }

  #release(node: Node): void {
    this.#nodes -= 1;
    if (node.kind === "file") this.#truncate(node);
    if (node.kind === "folder") for (const child of node.entries.values()) this.#release(child);
  }
}
