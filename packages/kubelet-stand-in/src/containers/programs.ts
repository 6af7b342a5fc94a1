import { posix } from "node:path";

import { FILE_PROGRAMS } from "./file-programs.ts";
import { copy, UsageError, type Process, type Program } from "./process.ts";
import { shell } from "./shell.ts";
import { tar } from "./tar.ts";
import { TEXT_PROGRAMS } from "./text-programs.ts";

const printenv: Program = async (process) => {
  const name = process.args[1];
  const lines = name === undefined ? [...process.env].map(([key, value]) => `${key}=${value}`) : [process.env.get(name)];
  if (lines[0] === undefined) return 1;
  await process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
};

/** `env`, or `env NAME=VALUE… PROGRAM…`. */
const env: Program = async (process) => {
  const changed = new Map(process.env);
  const rest = process.args.slice(1);
  while (/^\w+=/.test(rest[0] ?? "")) {
    const [name = "", ...value] = rest.shift()?.split("=") ?? [];
    changed.set(name, value.join("="));
  }
  return rest.length > 0 ? process.run(rest, { env: changed }) : printenv({ ...process, args: ["env"], env: changed });
};

const stty: Program = async (process) => {
  if (process.terminal === undefined) throw new UsageError("standard input: Inappropriate ioctl for device");
  const { rows, columns } = process.terminal.size;
  const command = process.args[1];
  if (command === "size") await process.stdout.write(`${rows} ${columns}\n`);
  else if (command === undefined || command === "-a") await process.stdout.write(`speed 38400 baud; rows ${rows}; columns ${columns};\n`);
  return 0;
};

const ps: Program = async (process) => {
  await process.stdout.write("PID   USER     TIME  COMMAND\n    1 root      0:00 /app/server\n");
  return 0;
};

function printing(text: (process: Process) => string): Program {
  return async (process) => {
    await process.stdout.write(`${text(process)}\n`);
    return 0;
  };
}

/** Every program of the simulated images, by name. `yes` and `cat` run until they are interrupted; nothing here starts a program of the host. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  ...FILE_PROGRAMS,
  ...TEXT_PROGRAMS,
  tar,
  env,
  printenv,
  stty,
  ps,
  sh: shell,
  ash: shell,
  bash: shell,
  true: () => Promise.resolve(0),
  false: () => Promise.resolve(1),
  pwd: printing((process) => process.cwd),
  hostname: printing((process) => process.machine.hostname),
  whoami: printing(() => "root"),
  id: printing(() => "uid=0(root) gid=0(root) groups=0(root)"),
  uname: printing((process) => (process.args.includes("-a") ? `Linux ${process.machine.hostname} 6.12.0 x86_64 GNU/Linux` : "Linux")),
  date: printing((process) => new Date(process.machine.clock.now()).toUTCString()),
  // Erases the screen and puts the cursor home (ECMA-48).
  clear: async (process) => {
    await process.stdout.write("\u001b[H\u001b[2J");
    return 0;
  },
  // The container's own program: does nothing but exist.
  server: async (process) => {
    await copy(process.stdin, process.stdout, process.signal);
    return 0;
  },
};

/** The program a path of the file system stands for. */
export function programAt(path: string): Program | undefined {
  const name = posix.basename(path);
  return Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
}
