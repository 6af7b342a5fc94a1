import { SettledState } from "@binnacle/proto/dashboard-enums";
import { messageText } from "@binnacle/presentation/text/messages";
import { isWhole } from "@binnacle/presentation/view/is-whole";
import type { ViewState } from "@binnacle/presentation/view/view-state";

import { firstWhole } from "../connection/first-whole.ts";
import { environmentOf, withSession } from "../connection/session.ts";
import { formatOf, writeDocument } from "../output/documents.ts";
import { stylesOf, type Styles } from "../output/styles.ts";
import type { CommandSpec } from "../program/command.ts";
import { ENVIRONMENT, OUTPUT, PROJECT } from "../program/common-options.ts";
import { EXIT } from "../program/exit-codes.ts";
import { verdictOf, type Verdict } from "../status/verdict.ts";

/** One thing that must be so for the environment to be shown. */
interface Check {
  readonly name: "access" | "agent" | "connection" | "configuration" | "rights";
  readonly result: "ok" | "warning" | "failed" | "not checked";
  readonly message: string;
}

/** `binnacle agent check`. */
export const AGENT_CHECK: CommandSpec = {
  name: "agent check",
  summary: "Check the way from the dashboard to the cluster of an environment",
  details: ["Access to the environment, its agent, the connection, the agent's configuration, and the kinds that the token may read."],
  arguments: [ENVIRONMENT],
  options: [PROJECT, OUTPUT],
  examples: ["binnacle agent check production"],
  run: (call) =>
    withSession(call, async (session) => {
      const { terminal, options } = call;
      const named = environmentOf(call, session.settings);
      const { view, nowMs } = await firstWhole(session, named, terminal);
      if (terminal.isInterrupted()) return EXIT.interrupted;
      const checks = checksOf(view, verdictOf(view, nowMs));
      const format = formatOf(options);
      if (format === "table") terminal.write(checks.map((check) => lineOf(check, stylesOf(terminal))).join(""));
      else
        writeDocument(terminal, format, {
          format: "binnacle.agent-check",
          version: 1,
          project: named.projectPath,
          environment: named.environment,
          checks,
        });
      return checks.some(({ result }) => result === "failed") ? EXIT.bad : EXIT.ok;
    }),
};

/** The checks of a view, in the order of the way: behind one that failed nothing is known. */
function checksOf(view: ViewState, { gap, freshness }: Pick<Verdict, "gap" | "freshness">): readonly Check[] {
  const { environment, problem, configurationError, sources } = view;
  const isThere = environment !== undefined && problem === undefined;
  const hasAgent = isThere && environment.agentId !== 0n;
  const isConnected = hasAgent && freshness.kind === "live";
  const forbidden = [...new Set(sources.filter(({ settled }) => settled === SettledState.FORBIDDEN).map(({ resource }) => resource))];
  const failed = sources.filter(({ settled }) => settled === SettledState.ERROR);
  const rights = rightsOf(view, { forbidden, failures: failed.map(({ resource, words: why }) => `${resource}: ${messageText(why)}`) });
  const after = (isKnown: boolean, check: Omit<Check, "name">): Omit<Check, "name"> =>
    isKnown ? check : { result: "not checked", message: "" };
  return [
    {
      name: "access",
      ...(isThere ? { result: "ok", message: `${environment.projectPath} ${environment.name}` } : { result: "failed", message: gap }),
    },
    {
      name: "agent",
      ...after(isThere, hasAgent ? { result: "ok", message: environment?.agentName ?? "" } : { result: "failed", message: gap }),
    },
    {
      name: "connection",
      ...after(
        hasAgent,
        isConnected ? { result: "ok", message: "live" } : { result: "failed", message: gap === "" ? freshness.kind : gap },
      ),
    },
    {
      name: "configuration",
      ...after(
        hasAgent,
        configurationError === undefined ? { result: "ok", message: "" } : { result: "failed", message: configurationError.reason },
      ),
    },
    { name: "rights", ...after(isConnected, rights) },
  ];
}

function rightsOf(
  view: ViewState,
  { forbidden, failures }: { readonly forbidden: readonly string[]; readonly failures: readonly string[] },
): Omit<Check, "name"> {
  if (failures.length > 0) return { result: "failed", message: failures.join("; ") };
  if (forbidden.length > 0) return { result: "warning", message: `not visible to you: ${forbidden.join(", ")}` };
  return isWhole(view)
    ? { result: "ok", message: `${view.sources.length} kinds are read` }
    : { result: "warning", message: "not every kind has answered yet" };
}

const MARKS = { ok: "✓", warning: "!", failed: "✗", "not checked": "–" } as const;
const LOOKS = { ok: "healthy", warning: "missing", failed: "degraded", "not checked": "neutral" } as const;

function lineOf({ name, result, message }: Check, styles: Styles): string {
  const text = message === "" ? result : message.replaceAll("\n", " ");
  return `${styles.look(LOOKS[result], MARKS[result])} ${name.padEnd(14)}${text}\n`;
}
