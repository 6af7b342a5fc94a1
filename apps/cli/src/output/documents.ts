import { stringify } from "yaml";

import type { GivenOptions } from "../program/command.ts";
import type { Terminal } from "../program/terminal.ts";

/** How results are written. */
export type Format = "table" | "json" | "yaml";

/** The format that was chosen. */
export function formatOf(options: GivenOptions): Format {
  const format = options.text("output");
  return format === "json" || format === "yaml" ? format : "table";
}

/** Writes a result for programs. */
export function writeDocument(terminal: Pick<Terminal, "write">, format: "json" | "yaml", document: unknown): void {
  terminal.write(format === "json" ? `${JSON.stringify(document, undefined, 2)}\n` : stringify(document, { lineWidth: 0 }));
}

/** Writes one of many results, as they come: a line of JSON, or a document of YAML. */
export function writeRecord(terminal: Pick<Terminal, "write">, format: "json" | "yaml", record: unknown): void {
  terminal.write(format === "json" ? `${JSON.stringify(record)}\n` : `---\n${stringify(record, { lineWidth: 0 })}`);
}

/** A time for programs: RFC 3339 in UTC; null where it is not known. */
export function timeText(ms: number | undefined): string | null {
  return ms === undefined || ms === 0 ? null : new Date(ms).toISOString();
}
