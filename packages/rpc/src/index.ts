export { Backoff, type BackoffOptions } from "./backoff.ts";
export { sleep, systemClock, type Clock } from "./clock.ts";
export { toConnectError } from "./connect-error.ts";
export { Fault, FAULTS, type FaultReason } from "./fault.ts";
export { httpStatusOf } from "./http-status.ts";
export { HttpExit } from "./http-exit.ts";
export { runModules, type Module, type ModuleRunOptions } from "./module.ts";
