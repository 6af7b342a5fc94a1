export { ManualClock } from "./manual-clock.ts";
export { startRedisServer, type RedisServer } from "./redis-server.ts";
export { settle, until } from "./settle.ts";
