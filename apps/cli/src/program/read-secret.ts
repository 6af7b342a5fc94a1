import type { ReadStream } from "node:tty";

const ENTER = new Set(["\r", "\n", "\u0004"]);
const INTERRUPT = "\u0003";
const ERASE = new Set(["\u007F", "\b"]);

/** What a line is read from. */
export interface SecretInput {
  readonly input: Pick<ReadStream, "setRawMode" | "setEncoding" | "on" | "off" | "pause" | "resume">;
  readonly note: (text: string) => void;
  /** Ctrl-C: a terminal in raw mode sends no signal. */
  readonly interrupted: () => void;
}

/** A line of a terminal that shows nothing of it. Empty after Ctrl-C. */
export function readSecret(prompt: string, { input, note, interrupted }: SecretInput): Promise<string> {
  note(prompt);
  input.setRawMode(true);
  input.setEncoding("utf8");
  input.resume();
  return new Promise((resolve) => {
    let text = "";
    const end = (line: string): void => {
      input.off("data", read);
      input.setRawMode(false);
      input.pause();
      note("\n");
      resolve(line);
    };
    const read = (typed: string): void => {
      for (const key of typed) {
        if (ENTER.has(key)) return end(text);
        if (key === INTERRUPT) {
          interrupted();
          return end("");
        }
        text = ERASE.has(key) ? text.slice(0, -1) : `${text}${key}`;
      }
    };
    input.on("data", read);
  });
}
