import { posix } from "node:path";

import { FileError, type Node } from "./file-system.ts";
import { copy, openForReading, openForWriting, pathOf, UsageError, type Process, type Program } from "./process.ts";

/** Options and operands of arguments like `-la FILE`. */
function optionsOf(process: Process): { readonly options: ReadonlySet<string>; readonly operands: readonly string[] } {
  const args = process.args.slice(1);
  const options = args.filter((one) => /^-[A-Za-z]/.test(one)).flatMap((one) => one.slice(1).split(""));
  return { options: new Set(options), operands: args.filter((one) => !/^-[A-Za-z-]/.test(one)) };
}

/** Runs an action for each operand; a failure is printed and makes the exit code 1, the others go on. */
async function forEach(process: Process, operands: readonly string[], action: (operand: string) => Promise<void> | void): Promise<number> {
  let code = 0;
  for (const operand of operands) {
    try {
      await action(operand);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await process.stderr.write(`${process.args[0]}: ${operand}: ${error.message}\n`);
      code = 1;
    }
  }
  return code;
}

function modeText(node: Node): string {
  const bits = node.mode
    .toString(2)
    .padStart(9, "0")
    .slice(-9)
    .split("")
    .map((bit, index) => (bit === "1" ? "rwx"[index % 3] : "-"))
    .join("");
  return `${node.kind === "folder" ? "d" : node.kind === "link" ? "l" : "-"}${bits}`;
}

const ls: Program = async (process) => {
  const { options, operands } = optionsOf(process);
  const { files } = process.machine;
  const show = (name: string, node: Node): string => {
    if (!options.has("l")) return name;
    const size = node.kind === "file" ? node.size : 4096;
    const time = new Date(node.mtimeMs).toISOString().slice(0, 16).replace("T", " ");
    const arrow = node.kind === "link" ? ` -> ${node.target}` : "";
    return `${modeText(node)}    1 root     root     ${String(size).padStart(9)} ${time} ${name}${arrow}`;
  };
  return forEach(process, operands.length === 0 ? ["."] : operands, async (operand) => {
    const path = pathOf(process, operand);
    const node = options.has("d") ? files.findLink(path) : files.find(path);
    if (node === undefined) throw new FileError("No such file or directory");
    const lines =
      node.kind !== "folder" || options.has("d")
        ? [show(operand, node)]
        : [...node.entries]
            .filter(([name]) => options.has("a") || !name.startsWith("."))
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, child]) => show(name, child));
    if (lines.length > 0) await process.stdout.write(`${lines.join("\n")}\n`);
  });
};

const cat: Program = async (process) => {
  const { operands } = optionsOf(process);
  return forEach(process, operands.length === 0 ? ["-"] : operands, (operand) =>
    copy(operand === "-" ? process.stdin : openForReading(process, operand), process.stdout, process.signal),
  );
};

const mkdir: Program = (process) => {
  const { options, operands } = optionsOf(process);
  return forEach(process, operands, (operand) => process.machine.files.makeFolder(pathOf(process, operand), options.has("p")));
};

const rm: Program = (process) => {
  const { options, operands } = optionsOf(process);
  return forEach(process, operands, (operand) => {
    const path = pathOf(process, operand);
    if (options.has("f") && process.machine.files.findLink(path) === undefined) return;
    process.machine.files.remove(path, options.has("r") || options.has("R"));
  });
};

const touch: Program = (process) =>
  forEach(process, optionsOf(process).operands, (operand) => {
    process.machine.files.open(pathOf(process, operand), { append: true }).mtimeMs = process.machine.clock.now();
  });

/** Source and target of `cp` and `mv`: a target that is a folder gets the source's name. */
function twoPaths(process: Process): readonly [string, string] {
  const { operands } = optionsOf(process);
  const [from, to] = operands;
  if (from === undefined || to === undefined) throw new UsageError("missing file operand");
  const target = pathOf(process, to);
  const isFolder = process.machine.files.find(target)?.kind === "folder";
  return [pathOf(process, from), isFolder ? posix.join(target, posix.basename(from)) : target];
}

const mv: Program = (process) => {
  process.machine.files.move(...twoPaths(process));
  return Promise.resolve(0);
};

const cp: Program = async (process) => {
  const [from, to] = twoPaths(process);
  const source = openForReading(process, from);
  if (from === to) throw new UsageError("source and target are the same file");
  await copy(source, openForWriting(process, to), process.signal);
  return 0;
};

const ln: Program = (process) => {
  const { options, operands } = optionsOf(process);
  if (!options.has("s") || operands[0] === undefined || operands[1] === undefined)
    throw new UsageError("only ln -s TARGET NAME is supported");
  process.machine.files.makeLink(pathOf(process, operands[1]), operands[0]);
  return Promise.resolve(0);
};

const tee: Program = async (process) => {
  const { options, operands } = optionsOf(process);
  const sinks = operands.map((operand) => openForWriting(process, operand, options.has("a")));
  for (let chunk = await process.stdin.read(); chunk !== undefined; chunk = await process.stdin.read()) {
    for (const sink of [process.stdout, ...sinks]) await sink.write(chunk);
  }
  return 0;
};

const which: Program = (process) =>
  forEach(process, optionsOf(process).operands, async (operand) => {
    if (process.machine.files.find(`/bin/${operand}`) === undefined) throw new FileError("not found");
    await process.stdout.write(`/bin/${operand}\n`);
  });

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "-eq": (a, b) => a === b,
  "-ne": (a, b) => a !== b,
  "-lt": (a, b) => a < b,
  "-le": (a, b) => a <= b,
  "-gt": (a, b) => a > b,
  "-ge": (a, b) => a >= b,
};

const test: Program = (process) => {
  const words = process.args.slice(1);
  if (process.args[0]?.endsWith("[") === true && words.pop() !== "]") throw new UsageError("missing ]", 2);
  return Promise.resolve(holds(process, words) ? 0 : 1);
};

function holds(process: Process, words: readonly string[]): boolean {
  const [first = "", second, third = ""] = words;
  if (words.length === 0) return false;
  if (first === "!") return !holds(process, words.slice(1));
  if (words.length === 1) return first !== "";
  if (words.length === 3) {
    if (second === "=" || second === "==") return first === third;
    if (second === "!=") return first !== third;
    const compare = COMPARISONS[second ?? ""];
    if (compare !== undefined) return compare(Number(first), Number(third));
  }
  if (words.length !== 2 || second === undefined) throw new UsageError("unknown condition", 2);
  if (first === "-z") return second === "";
  if (first === "-n") return second !== "";
  const path = pathOf(process, second);
  const node = first === "-L" || first === "-h" ? process.machine.files.findLink(path) : process.machine.files.find(path);
  if (first === "-t") return process.terminal !== undefined;
  if (first === "-d") return node?.kind === "folder";
  if (first === "-f") return node?.kind === "file";
  if (first === "-s") return node?.kind === "file" && node.size > 0;
  if (first === "-L" || first === "-h") return node?.kind === "link";
  if (first === "-x") return node !== undefined && (node.mode & 0o111) !== 0;
  if (["-e", "-r", "-w"].includes(first)) return node !== undefined;
  throw new UsageError(`unknown condition ${first}`, 2);
}

/** Programs about files, by name. */
export const FILE_PROGRAMS: Readonly<Record<string, Program>> = { ls, cat, mkdir, rm, touch, mv, cp, ln, tee, which, test, "[": test };
