import { firstWhole } from "../connection/first-whole.ts";
import { environmentOf, withSession } from "../connection/session.ts";
import { formatOf, writeDocument } from "../output/documents.ts";
import { stylesOf } from "../output/styles.ts";
import type { CommandSpec } from "../program/command.ts";
import { ENVIRONMENT, OUTPUT, PROJECT } from "../program/common-options.ts";
import { EXIT } from "../program/exit-codes.ts";
import { reportDocument, whyText } from "../status/status-report.ts";
import { verdictOf } from "../status/verdict.ts";

/** `binnacle why`. */
export const WHY: CommandSpec = {
  name: "why",
  summary: "Explain what is wrong in an environment, in the sentences of its page",
  details: ["Worst first: each root cause with what to do next, the change before it, and the chain from the resource to the cause."],
  arguments: [ENVIRONMENT],
  options: [PROJECT, OUTPUT],
  examples: ["binnacle why production", "binnacle why production -o json | jq -r '.issues[].title'"],
  run: (call) =>
    withSession(call, async (session) => {
      const named = environmentOf(call, session.settings);
      const { terminal, options } = call;
      const { view, nowMs } = await firstWhole(session, named, terminal);
      if (terminal.isInterrupted()) return EXIT.interrupted;
      const verdict = verdictOf(view, nowMs);
      const report = { named, view, verdict, nowMs };
      const format = formatOf(options);
      if (format === "table") terminal.write(whyText(report, stylesOf(terminal)));
      else writeDocument(terminal, format, reportDocument(report, verdict.exitCode));
      return verdict.exitCode;
    }),
};
