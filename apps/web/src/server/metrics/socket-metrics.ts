import { Counter, Gauge, type Registry } from "prom-client";

/** What is counted of a kind of socket. */
export interface SocketMetrics {
  /** A socket begins. @returns to be called once, with the outcome, which is of a closed set */
  begin(): (outcome: string) => void;
}

/** Declares it for terminals. Absent registry: nothing is counted. */
export function createTerminalMetrics(registry: Registry | undefined): SocketMetrics {
  return createSocketMetrics(registry, { name: "web_terminals", what: "Terminals" });
}

/** Declares it for sockets of logs. Absent registry: nothing is counted. */
export function createLogsSocketMetrics(registry: Registry | undefined): SocketMetrics {
  return createSocketMetrics(registry, { name: "web_log_sockets", what: "Sockets of logs" });
}

function createSocketMetrics(
  registry: Registry | undefined,
  { name, what }: { readonly name: string; readonly what: string },
): SocketMetrics {
  if (registry === undefined) return { begin: () => () => undefined };
  const registers = [registry];
  const open = new Gauge({ name, help: `${what} that are open`, registers });
  const ended = new Counter({
    name: `${name}_ended_total`,
    help: `${what} that have ended, by how they did`,
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
