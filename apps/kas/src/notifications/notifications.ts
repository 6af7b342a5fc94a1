import type { Clock, Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import type { Registry } from "prom-client";

import { redisSettingsOf } from "../config/redis-settings.ts";
import type { KasConfig } from "../config/schema.ts";
import { openRedis } from "../redis/redis-connection.ts";
import { ActionCablePublisher } from "./action-cable-publisher.ts";
import type { Notification } from "./notification.ts";

/** Where facts are told. */
export interface Notifications {
  readonly module: Module;
  readonly disconnectGraceMs: number;
  tell(notification: Notification): void;
}

/** Opens the Redis of notifications; nothing is published before the module runs. */
export function openNotifications(
  config: NonNullable<KasConfig["notifications"]>,
  { clock, log, registry }: { readonly clock: Clock; readonly log: Logger; readonly registry: Registry },
): Notifications {
  const redis = openRedis(redisSettingsOf(config.redis), log);
  const publisher = new ActionCablePublisher({
    publish: (channel, payload) => redis.commands.publish(channel, payload),
    channelPrefix: config.actioncable.channel_prefix,
    stream: config.actioncable.stream,
    maxQueued: config.max_queued,
    clock,
    log,
    registry,
  });
  return {
    disconnectGraceMs: config.disconnect_grace,
    tell: (notification) => publisher.tell(notification),
    module: {
      name: publisher.name,
      run: (signal) => publisher.run(signal),
      drain: (deadline) => publisher.drain(deadline),
      close: async () => redis.close(),
    },
  };
}
