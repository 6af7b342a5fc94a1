export { Backoff, type BackoffOptions } from "./backoff.ts";
export { sleep, systemClock, type Clock } from "./clock.ts";
export { toConnectError } from "./connect-error.ts";
export { Fault, FAULTS, type FaultReason } from "./fault.ts";
export { httpStatusOf } from "./http-status.ts";
export { runModules, type Module } from "./module.ts";
