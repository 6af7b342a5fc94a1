import { renameSync, writeFileSync } from "node:fs";

/** Says, atomically, that the process answers: whoever sees the file sees all of it. */
export function writeReadyFile(file: string, content: object): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(content)}\n`);
  renameSync(temporary, file);
}
