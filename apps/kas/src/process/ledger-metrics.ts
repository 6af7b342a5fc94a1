import { ByteLedger, type LedgerLimits } from "@binnacle/grpc-wire";
import { Counter, Gauge, type Registry } from "prom-client";

/** A ledger whose figures are in `registry`. */
export function measuredLedger(limits: LedgerLimits, registry: Registry): ByteLedger {
  const registers = [registry];
  const cuts = new Counter({
    name: "kas_budget_cuts_total",
    help: "Streams ended because too many bytes waited: of whom, and whether its own limit or that of the process was reached",
    labelNames: ["owner", "scope"],
    registers,
  });
  const ledger = new ByteLedger(limits, (owner, scope) => cuts.labels(owner, scope).inc());
  const gauge = (name: string, help: string, key: keyof ReturnType<ByteLedger["counts"]>) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(ledger.counts()[key]);
      },
    });
  gauge("kas_stalled_bytes", "Bytes that wait: unfinished messages and what somebody does not read", "held");
  gauge("kas_accounts_open", "Agents and users with an account for such bytes", "owners");
  gauge("kas_streams_slowed", "Streams that are not read because their owner holds too much", "waiting");
  return ledger;
}
