import { Counter, Gauge, type Registry } from "prom-client";

/** What is counted of terminals. */
export interface TerminalMetrics {
  /** A terminal begins. @returns to be called once, with the outcome, which is of a closed set */
  begin(): (outcome: string) => void;
}

/** Declares it. Absent registry: nothing is counted. */
export function createTerminalMetrics(registry: Registry | undefined): TerminalMetrics {
  if (registry === undefined) return { begin: () => () => undefined };
  const registers = [registry];
  const open = new Gauge({ name: "web_terminals", help: "Terminals that are open", registers });
  const ended = new Counter({
    name: "web_terminals_ended_total",
    help: "Terminals that have ended, by how they did",
    labelNames: ["outcome"],
    registers,
  });
  return {
    begin() {
      open.inc();
      return (outcome) => {
        open.dec();
        ended.labels(outcome).inc();
      };
    },
  };
}
