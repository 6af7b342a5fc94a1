export { addressGroup } from "./client-address/address-group.ts";
export {
  clientAddressOf,
  type RequestOrigin,
  NO_TRUSTED_PROXIES,
  parseTrustedProxies,
  type TrustedProxies,
} from "./client-address/client-address.ts";
export { Backoff, type BackoffOptions, Patience, type PatienceOptions } from "./backoff.ts";
export { settlesWithin, sleep, systemClock, type Clock } from "./clock.ts";
export { AGENT_WAIT_MS, Fault, FAULTS, type FaultReason } from "./fault.ts";
export { httpStatusOf } from "./code.ts";
export { HttpExit } from "./http-exit.ts";
export { SERVER_NODE_ENV, SERVER_NODE_FLAGS, WEB_NODE_FLAGS } from "./server-node-flags.ts";
export { Slots, type Slot } from "./slots.ts";
export { changeState, nextState, type StateTable } from "./state-table.ts";
export { callerStatusOf, type CallerStatus } from "./caller-status.ts";
export { stopAccepting, stopAcceptingAtOnce } from "./stop-accepting.ts";
export { runModules, type Module, type ModuleRunOptions } from "./module.ts";
