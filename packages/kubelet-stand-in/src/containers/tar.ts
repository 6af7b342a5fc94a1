import { posix } from "node:path";

import { extract, pack, type Header } from "tar-stream";

import { FileError, type Node } from "./file-system.ts";
import { openForReading, openForWriting, pathOf, UsageError, type Process, type Program } from "./process.ts";

interface TarOptions {
  readonly mode: "c" | "x" | "t";
  readonly archive: string;
  readonly folder: string;
  readonly operands: readonly string[];
}

/** `tar cf - PATH…`, `tar xmf - -C FOLDER`, `tar tf -`: what `kubectl cp` uses, without compression. */
export const tar: Program = (process) => {
  const options = parse(process);
  return options.mode === "c" ? create(process, options) : unpack(process, options);
};

function parse(process: Process): TarOptions {
  const operands: string[] = [];
  let letters = "";
  let archive = "-";
  let folder = process.cwd;
  const args = process.args.slice(1);
  for (let index = 0; index < args.length; index += 1) {
    const one = args[index] ?? "";
    if (one === "-C" || one === "--directory") folder = posix.resolve(folder, args[(index += 1)] ?? ".");
    else if (one === "--") operands.push(...args.splice(index + 1));
    else if (one.startsWith("--")) continue;
    else if ((one.startsWith("-") && one !== "-") || index === 0) {
      letters += one.replace(/^-/, "");
      if (one.includes("f")) archive = args[(index += 1)] ?? "-";
    } else operands.push(one);
  }
  const mode = (["c", "x", "t"] as const).find((letter) => letters.includes(letter));
  if (mode === undefined) throw new UsageError("You must specify one of the 'ctx' options", 2);
  if (/[zjJ]/.test(letters)) throw new UsageError("compression is not supported by this simulated tar", 2);
  return { mode, archive, folder, operands };
}

async function create(process: Process, { archive, folder, operands }: TarOptions): Promise<number> {
  if (operands.length === 0) throw new UsageError("Cowardly refusing to create an empty archive", 2);
  const sink = archive === "-" ? process.stdout : openForWriting(process, archive);
  const packing = pack();
  let code = 0;
  const filling = (async () => {
    for (const operand of operands) {
      const path = pathOf({ cwd: folder }, operand);
      const node = process.machine.files.findLink(path);
      if (node === undefined) {
        await process.stderr.write(`tar: ${operand}: Cannot stat: No such file or directory\n`);
        code = 2;
      } else {
        if (operand.startsWith("/")) await process.stderr.write("tar: Removing leading `/' from member names\n");
        for (const [name, member] of walk(operand.replace(/^\/+/, "") || ".", node)) await addMember(packing, name, member);
      }
    }
    packing.finalize();
  })();
  // An error here also ends the reading below, which then throws it.
  filling.catch((error: unknown) => packing.destroy(error instanceof Error ? error : new Error("tar failed")));
  for await (const chunk of packing) {
    await sink.write(chunk as Buffer);
    if (process.signal.aborted) break;
  }
  return code;
}

function* walk(name: string, node: Node): Generator<readonly [string, Node]> {
  yield [name, node];
  if (node.kind === "folder") for (const [child, below] of node.entries) yield* walk(`${name}/${child}`, below);
}

async function addMember(packing: ReturnType<typeof pack>, name: string, node: Node): Promise<void> {
  const header: Partial<Header> & { readonly name: string } = {
    name,
    mode: node.mode,
    mtime: new Date(node.mtimeMs),
    uname: "root",
    gname: "root",
    uid: 0,
    gid: 0,
  };
  if (node.kind === "folder") packing.entry({ ...header, type: "directory" });
  else if (node.kind === "link") packing.entry({ ...header, type: "symlink", linkname: node.target });
  else {
    const chunks = [...node.chunks];
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const entry = packing.entry({ ...header, type: "file", size });
    for (const chunk of chunks) if (!entry.write(chunk)) await drained(entry);
    await new Promise<void>((resolve, reject) => {
      entry.once("error", reject);
      entry.once("finish", resolve);
      entry.end(null);
    });
  }
}

function drained(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new FileError("write error"));
    stream.once("close", onClose);
    stream.once("drain", () => {
      stream.removeListener("close", onClose);
      resolve();
    });
  });
}

async function unpack(process: Process, { mode, archive, folder }: TarOptions): Promise<number> {
  const source = archive === "-" ? process.stdin : openForReading(process, archive);
  const { files } = process.machine;
  if (mode === "x") files.folder(folder);
  const extracting = extract();
  const feeding = (async () => {
    for (let chunk = await source.read(); chunk !== undefined; chunk = await source.read()) {
      if (!extracting.write(chunk)) await drained(extracting);
    }
    extracting.end(null);
  })();
  feeding.catch(() => extracting.destroy());
  try {
    for await (const entry of extracting) {
      // tar-stream yields readable entries with their headers.
      const { header } = entry;
      const path = posix.join(folder, posix.join("/", header.name));
      if (mode === "t") await process.stdout.write(`${header.name}\n`);
      else if (header.type === "directory") files.makeFolder(path, true);
      else if (header.type === "symlink") {
        if (files.findLink(path) !== undefined) files.remove(path, true);
        files.makeLink(path, header.linkname ?? "");
      } else if (header.type === "file" || header.type === "contiguous-file") {
        files.makeFolder(posix.dirname(path), true);
        const file = files.open(path, { mode: header.mode ?? 0o644 });
        for await (const chunk of entry) files.append(file, Buffer.from(chunk as Buffer));
      }
      entry.resume();
    }
  } catch (error) {
    extracting.destroy();
    if (error instanceof FileError) throw error;
    throw new UsageError(`This does not look like a tar archive: ${error instanceof Error ? error.message : "unknown"}`, 2);
  }
  return 0;
}
