import type { Operator } from "./operator.ts";

/** A condition as controllers write them. */
function condition(type: string, status: "True" | "False", reason: string): object {
  return { type, status, reason, lastTransitionTime: "2026-01-01T00:00:00Z" };
}

const FIRED = { state: "Ready" };
const FILLED = { components: { db: { phase: "Running" }, pump: { phase: "Running" } } };
const RIPE = { replicas: 3, readyReplicas: 3 };
const LIT = { ready: true, failed: false };
const AFLOAT = {
  observedGeneration: 1,
  conditions: [condition("EngineFailed", "False", "NoFault"), condition("HullUnreachable", "False", "InSight")],
};
const SHINING = { health: { overall: "green" } };
const GRINDING = { observedGeneration: 1, errorMessage: "" };
const BUZZING = {
  hives: [
    { name: "north", state: "Active" },
    { name: "south", state: "Active" },
  ],
};
const FULL = { summary: { total: 3, ok: 3, failing: 0 } };
const WOVEN = { lastOperation: { type: "Reconcile", state: "Succeeded", progress: 100 } };

/** Ten operators: state words at odd places, counters, error booleans, conditions of both polarities, texts, lists. */
export const OPERATORS: readonly Operator[] = [
  {
    kind: "Kiln",
    plural: "kilns",
    hasStatusSubresource: true,
    spec: { heat: 900 },
    life: [
      { what: "is made", says: "progressing" },
      { what: "syncs", status: { state: "Syncing" }, says: "progressing", words: "status.state is Syncing" },
      { what: "is ready", status: FIRED, says: "healthy", words: "status.state is Ready" },
      { what: "breaks", status: { state: "Error" }, says: "degraded", words: "status.state is Error" },
      { what: "is fixed", status: FIRED, says: "healthy" },
      { what: "is paused", spec: { heat: 900, paused: true }, says: "suspended", words: "spec.paused is true" },
    ],
  },
  {
    kind: "Reservoir",
    plural: "reservoirs",
    hasStatusSubresource: false,
    spec: { litres: 5 },
    life: [
      { what: "is made", says: "none" },
      { what: "fills", status: { components: { db: { phase: "Provisioning" }, pump: { phase: "Running" } } }, says: "progressing" },
      { what: "is full", status: FILLED, says: "healthy" },
      {
        what: "leaks",
        status: { components: { db: { phase: "Failed" }, pump: { phase: "Running" } } },
        says: "degraded",
        words: "status.components.db.phase is Failed",
      },
      { what: "is fixed", status: FILLED, says: "healthy" },
      { what: "is shut", spec: { litres: 5, suspend: true }, says: "suspended" },
    ],
  },
  {
    kind: "Orchard",
    plural: "orchards",
    hasStatusSubresource: true,
    spec: { replicas: 3 },
    life: [
      { what: "is made", says: "progressing" },
      { what: "grows", status: { replicas: 3, readyReplicas: 0 }, says: "progressing" },
      { what: "is ripe", status: RIPE, says: "healthy" },
      {
        what: "loses two trees",
        status: { replicas: 3, readyReplicas: 1 },
        says: "progressing",
        words: "status.readyReplicas is 1, spec.replicas is 3",
      },
      { what: "is fixed", status: RIPE, says: "healthy" },
      { what: "is cleared", spec: { replicas: 0 }, status: { replicas: 0, readyReplicas: 0 }, says: "healthy" },
    ],
  },
  {
    kind: "Beacon",
    plural: "beacons",
    hasStatusSubresource: false,
    spec: { colour: "white" },
    life: [
      { what: "is made", says: "none" },
      { what: "warms up", status: { ready: false, failed: false }, says: "progressing", words: "status.ready is false" },
      { what: "is lit", status: LIT, says: "healthy" },
      { what: "goes out", status: { ready: true, failed: true }, says: "degraded", words: "status.failed is true" },
      { what: "is fixed", status: LIT, says: "healthy" },
      { what: "is switched off", spec: { colour: "white", enabled: false }, says: "suspended" },
    ],
  },
  {
    kind: "Ferry",
    plural: "ferries",
    hasStatusSubresource: true,
    spec: { seats: 40 },
    life: [
      { what: "is made", says: "progressing" },
      {
        what: "is fitted out",
        status: { observedGeneration: 1, conditions: [condition("FittingPending", "True", "InTheYard")] },
        says: "progressing",
      },
      { what: "is afloat", status: AFLOAT, says: "healthy" },
      {
        what: "loses its engine",
        status: {
          observedGeneration: 1,
          conditions: [condition("EngineFailed", "True", "NoOil"), ...AFLOAT.conditions.slice(1)],
        },
        says: "degraded",
        words: "EngineFailed is true (NoOil)",
      },
      { what: "is fixed", status: AFLOAT, says: "healthy" },
      { what: "gets more seats, not yet observed", spec: { seats: 60 }, says: "progressing" },
    ],
  },
  {
    kind: "Lantern",
    plural: "lanterns",
    hasStatusSubresource: false,
    spec: { watts: 3 },
    life: [
      { what: "is made", says: "none" },
      { what: "flickers", status: { health: { overall: "yellow" } }, says: "progressing", words: "status.health.overall is yellow" },
      { what: "shines", status: SHINING, says: "healthy", words: "status.health.overall is green" },
      { what: "breaks", status: { health: { overall: "red" } }, says: "degraded", words: "status.health.overall is red" },
      { what: "is fixed", status: SHINING, says: "healthy" },
      { what: "is paused", spec: { watts: 3, paused: true }, says: "suspended" },
    ],
  },
  {
    kind: "Mill",
    plural: "mills",
    hasStatusSubresource: true,
    spec: { stones: 2 },
    life: [
      { what: "is made", says: "progressing" },
      { what: "is seen", status: GRINDING, says: "healthy" },
      { what: "gets a stone, not yet observed", spec: { stones: 3 }, says: "progressing" },
      {
        what: "breaks",
        status: { observedGeneration: 2, errorMessage: "the belt is torn" },
        says: "degraded",
        words: "the belt is torn",
      },
      { what: "is fixed", status: { observedGeneration: 2, errorMessage: "" }, says: "healthy" },
      { what: "is halted", spec: { stones: 3, halt: true }, says: "suspended" },
    ],
  },
  {
    kind: "Apiary",
    plural: "apiaries",
    hasStatusSubresource: false,
    spec: { hives: 2 },
    life: [
      { what: "is made", says: "none" },
      {
        what: "is settled",
        status: {
          hives: [
            { name: "north", state: "Active" },
            { name: "south", state: "Creating" },
          ],
        },
        says: "progressing",
      },
      { what: "buzzes", status: BUZZING, says: "healthy" },
      {
        what: "loses a hive",
        status: {
          hives: [
            { name: "north", state: "Active" },
            { name: "south", state: "Lost" },
          ],
        },
        says: "degraded",
        words: "status.hives[1].state is Lost",
      },
      { what: "is fixed", status: BUZZING, says: "healthy" },
      { what: "sleeps", spec: { hives: 2, suspended: true }, says: "suspended" },
    ],
  },
  {
    kind: "Granary",
    plural: "granaries",
    hasStatusSubresource: true,
    spec: { bins: 3 },
    life: [
      { what: "is made", says: "progressing" },
      { what: "is built", status: { summary: { total: 3, ok: 1, failing: 0 } }, says: "progressing" },
      { what: "is full", status: FULL, says: "healthy" },
      {
        what: "loses a bin",
        status: { summary: { total: 3, ok: 2, failing: 1 } },
        says: "degraded",
        words: "status.summary.failing is 1",
      },
      { what: "is fixed", status: FULL, says: "healthy" },
      { what: "is stopped", spec: { bins: 3, stopped: true }, says: "suspended" },
    ],
  },
  {
    kind: "Loom",
    plural: "looms",
    hasStatusSubresource: false,
    spec: { threads: 7 },
    life: [
      { what: "is made", says: "none" },
      { what: "weaves", status: { lastOperation: { type: "Reconcile", state: "Processing", progress: 40 } }, says: "progressing" },
      { what: "has woven", status: WOVEN, says: "healthy" },
      {
        what: "breaks a thread",
        status: { lastOperation: { type: "Reconcile", state: "Failed", progress: 40 }, lastError: { description: "thread 3 is torn" } },
        says: "degraded",
      },
      { what: "is fixed", status: WOVEN, says: "healthy" },
      { what: "is paused", annotations: { "looms.example.com/paused": "true" }, says: "suspended" },
    ],
  },
];
