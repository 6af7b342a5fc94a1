"use client";
import type { OpenTerminalResponse, TerminalEnded } from "@binnacle/proto/dashboard";
import { TerminalEnd } from "@binnacle/proto/action-enums";
import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { messageText, tLater } from "../../ui/messages.ts";
import { sentenceOfError } from "../queries/request-error.ts";
import { dashboardClient } from "../live/dashboard-client.ts";
import { openSocket } from "../live/open-socket.ts";
import { RunningMark, type TerminalPlace } from "./running-mark.ts";
import { Screen } from "./screen.ts";
import { TerminalConnection, type ScreenSize } from "./terminal-connection.ts";

const LIMIT_MS = 30_000;

/** What is started. */
export interface TerminalChoice {
  readonly container: string;
  /** Empty: the first one that there is. */
  readonly shell: string;
}

/** How far a terminal is. */
export type TerminalState =
  | { readonly kind: "none" }
  /** One ran here until the page was left. */
  | { readonly kind: "left" }
  | { readonly kind: "connecting" }
  | { readonly kind: "running"; readonly shell: string }
  /** `why` is a sentence; `response`: it has no ticket, but the reason; `lacksShell`: the image has none. */
  | { readonly kind: "ended"; readonly why: string; readonly response?: OpenTerminalResponse; readonly lacksShell?: boolean };

/** One that was started; a screen reports its first size before its constructor returns. */
interface RunningTerminal {
  screen?: Screen;
  connection?: TerminalConnection;
}

/** Requests a ticket. @throws ConnectError */
export function requestTerminal(
  place: TerminalPlace,
  { container, shell, size }: TerminalChoice & { readonly size: ScreenSize },
  signal?: AbortSignal,
): Promise<OpenTerminalResponse> {
  return dashboardClient().openTerminal({ ...place, container, shell, size }, { timeoutMs: LIMIT_MS, ...(signal && { signal }) });
}

/** A terminal on an element of the page. It ends with the page, and is never started by itself. */
export function useTerminal(
  place: TerminalPlace,
  { label, onLeft }: { readonly label: string; readonly onLeft: () => void },
): {
  readonly state: TerminalState;
  readonly element: RefObject<HTMLDivElement | null>;
  readonly start: (choice: TerminalChoice) => void;
  readonly stop: () => void;
} {
  const [mark] = useState(() => new RunningMark(place));
  const [state, setState] = useState<TerminalState>(() => ({ kind: mark.isSet ? "left" : "none" }));
  const element = useRef<HTMLDivElement | null>(null);
  const running = useRef<RunningTerminal | undefined>(undefined);
  const stop = useCallback(() => {
    running.current?.connection?.close();
    running.current?.screen?.dispose();
    running.current = undefined;
    mark.set(false);
    setState({ kind: "none" });
  }, [mark]);
  useEffect(() => stop, [stop]);
  const start = (choice: TerminalChoice): void => {
    if (element.current === null) return;
    stop();
    setState({ kind: "connecting" });
    const current: RunningTerminal = {};
    running.current = current;
    mark.set(true);
    const screen = new Screen(element.current, {
      label,
      events: {
        typed: (bytes) => current.connection?.type(bytes),
        resized: (size) => current.connection?.resize(size),
        left: onLeft,
      },
    });
    current.screen = screen;
    const end = (next: TerminalState): void => {
      if (running.current !== current) return;
      screen.end();
      mark.set(false);
      setState(next);
    };
    requestTerminal(place, { ...choice, size: screen.size }).then(
      (response) => {
        if (running.current !== current) return;
        if (response.ticket === "") return end({ kind: "ended", why: "", response });
        current.connection = new TerminalConnection(openSocket(response.ticket), {
          started: (shell) => {
            if (running.current !== current) return;
            setState({ kind: "running", shell });
            // It may have changed since the ticket was requested.
            current.connection?.resize(screen.size);
            screen.focus();
          },
          output: (bytes, taken) => screen.write(bytes, taken),
          ended: (ended, hadOpened) =>
            end({ kind: "ended", why: endSentence(ended, hadOpened), lacksShell: ended?.end === TerminalEnd.NO_SHELL }),
        });
      },
      (error: unknown) => end({ kind: "ended", why: sentenceOfError(error) ?? "" }),
    );
  };
  return { state, element, start, stop };
}

/** How a terminal ended, as a sentence. @param ended `undefined`: its connection broke, or was never opened */
function endSentence(ended: TerminalEnded | undefined, hadOpened: boolean): string {
  if (ended === undefined) return tLater(hadOpened ? "terminal/end/broken" : "terminal/end/not-opened");
  const why = messageText(ended.words);
  switch (ended.end) {
    case TerminalEnd.EXITED:
      if (ended.exitCode !== undefined) return tLater("terminal/end/exit-code", { code: ended.exitCode });
      return why === "" ? tLater("terminal/end/exited") : tLater("terminal/end/exited-why", { why });
    case TerminalEnd.NO_SHELL:
      return tLater("terminal/end/no-shell");
    case TerminalEnd.REFUSED:
      return tLater("terminal/end/refused", { why });
    case TerminalEnd.SIGNED_OUT:
      return tLater("terminal/end/signed-out");
    case TerminalEnd.WITHDRAWN:
      return why === "" ? tLater("terminal/end/withdrawn") : tLater("terminal/end/withdrawn-why", { why });
    case TerminalEnd.IDLE:
      return tLater("terminal/end/idle");
    case TerminalEnd.TOO_LONG:
      return tLater("terminal/end/too-long");
    case TerminalEnd.RESTART:
      return tLater("terminal/end/restart");
    case TerminalEnd.NOT_RECORDED:
      return tLater("terminal/end/not-recorded");
    default:
      return tLater("terminal/end/lost");
  }
}
