import type { StateLook } from "@binnacle/presentation/health/health-status";
import type { Terminal } from "../program/terminal.ts";

const COLOURS: Readonly<Record<StateLook, number>> = {
  healthy: 32,
  progressing: 34,
  degraded: 31,
  suspended: 35,
  missing: 33,
  unknown: 90,
  locked: 90,
  neutral: 39,
};

/** Colours and weights of a terminal; plain text where the output is none, or NO_COLOR is set (no-color.org). */
export interface Styles {
  readonly look: (look: StateLook, text: string) => string;
  readonly bold: (text: string) => string;
  readonly faint: (text: string) => string;
}

/** Styles for standard output. */
export function stylesOf({ env, isOutputTerminal }: Pick<Terminal, "env" | "isOutputTerminal">): Styles {
  const isPlain = !isOutputTerminal || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const styled = (code: number, text: string): string => (isPlain || text === "" ? text : `\u001B[${code}m${text}\u001B[0m`);
  return {
    look: (look, text) => styled(COLOURS[look], text),
    bold: (text) => styled(1, text),
    faint: (text) => styled(2, text),
  };
}
