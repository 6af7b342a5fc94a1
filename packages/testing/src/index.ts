export { startAgentkProcess, type AgentkProcess, type AgentkProcessOptions } from "./agentk-process.ts";
export { startConnectProxy, type ConnectProxy, type ConnectProxyOptions } from "./connect-proxy.ts";
export { startHaproxy, startNginx, startTinyproxy, type EdgeProxy, type HaproxyOptions } from "./edge-proxies.ts";
export { EndlessServer } from "./endless-server.ts";
export { eventually } from "./eventually.ts";
export { FaultProxy, type FaultProxyOptions, type FaultRule, type FaultyRequest, type ProxyFault } from "./fault-proxy.ts";
export { HurriedClock } from "./hurried-clock.ts";
export { createKasSecrets, startKasProcess, type KasProcess, type KasProcessOptions, type KasSecrets } from "./kas-process.ts";
export { KasReplicas, type KasReplicaOptions } from "./kas-replicas.ts";
export {
  startMainApplicationStandIn,
  type RequestCounts,
  type MainApplicationStandIn,
  type RepositoriesAt,
} from "./main-application-stand-in.ts";
export { ManualClock } from "./manual-clock.ts";
export { propertyRuns } from "./property-runs.ts";
export { Program, type HeldMemory, type ProgramOptions } from "./program.ts";
export { readArguments } from "./read-arguments.ts";
export { freePort, startRedisServer, type RedisServer } from "./redis-server.ts";
export { TunnelAgent, type TunnelAgentOptions, type TunnelFailure, type TunnelledAnswer, type TunnelledRequest } from "./tunnel-agent.ts";
export { lintMetrics } from "./metric-lint.ts";
export { selfSigned } from "./self-signed.ts";
export { reachedStates } from "./reached-states.ts";
export { settle, until } from "./settle.ts";
export { watchLongestTurn } from "./longest-turn.ts";
export { startTcpBalancer, type TcpBalancer } from "./tcp-balancer.ts";
