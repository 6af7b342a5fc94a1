import type { TerminalEnded } from "@binnacle/proto/dashboard";
import { TerminalEnd } from "@binnacle/proto/dashboard-enums";
import { said, sayLater } from "../../ui/said.ts";

/** How a terminal ended, as a sentence. @param ended `undefined`: its connection broke, or never came to be */
export function endSentence(ended: TerminalEnded | undefined, hadOpened: boolean): string {
  if (ended === undefined) return sayLater(hadOpened ? "terminal/end/broken" : "terminal/end/not-opened");
  const why = said(ended.words);
  switch (ended.end) {
    case TerminalEnd.EXITED:
      if (ended.exitCode !== undefined) return sayLater("terminal/end/exit-code", { code: ended.exitCode });
      return why === "" ? sayLater("terminal/end/exited") : sayLater("terminal/end/exited-why", { why });
    case TerminalEnd.NO_SHELL:
      return sayLater("terminal/end/no-shell");
    case TerminalEnd.REFUSED:
      return sayLater("terminal/end/refused", { why });
    case TerminalEnd.SIGNED_OUT:
      return sayLater("terminal/end/signed-out");
    case TerminalEnd.WITHDRAWN:
      return why === "" ? sayLater("terminal/end/withdrawn") : sayLater("terminal/end/withdrawn-why", { why });
    case TerminalEnd.IDLE:
      return sayLater("terminal/end/idle");
    case TerminalEnd.TOO_LONG:
      return sayLater("terminal/end/too-long");
    case TerminalEnd.RESTART:
      return sayLater("terminal/end/restart");
    case TerminalEnd.NOT_RECORDED:
      return sayLater("terminal/end/not-recorded");
    default:
      return sayLater("terminal/end/lost");
  }
}
