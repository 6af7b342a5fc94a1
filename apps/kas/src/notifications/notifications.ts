import { readSecretFile } from "@binnacle/config";
import type { Clock, Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import type { Registry } from "prom-client";

import { redisSettingsOf } from "../config/redis-settings.ts";
import type { KasConfig } from "../config/schema.ts";
import { openRedis } from "../redis/redis-connection.ts";
import type { Notification } from "./notification.ts";
import { Outlet, type Delivery } from "./outlet.ts";
import { createOutletMetrics } from "./outlet-metrics.ts";
import { openWebhook } from "./webhook.ts";

type NotificationsConfig = NonNullable<KasConfig["notifications"]>;

/** Redis is there or comes back; a receiver may be away for an evening. */
const REDIS_PACE = { initialMs: 200, maxMs: 5_000 };
const WEBHOOK_PACE = { initialMs: 1_000, maxMs: 300_000 };
/** About an hour. */
const WEBHOOK_ATTEMPTS = 20;

/** Sends facts to the configured receivers. */
export interface Notifications {
  readonly modules: readonly Module[];
  readonly disconnectGraceMs: number;
  tell(notification: Notification): void;
}

interface OpenOutlet {
  readonly outlet: Outlet;
  readonly wants: (notification: Notification) => boolean;
  readonly close: () => Promise<void>;
}

/** How ActionCable's Redis adapter is spoken to. */
interface ActionCableOptions {
  readonly publish: (channel: string, payload: string) => Promise<unknown>;
  /** `channel_prefix` of the application's cable.yml. */
  readonly channelPrefix: string | undefined;
  /** Name of the stream; `{agent_id}` stands for the agent. */
  readonly stream: string;
}

/** Opens the receivers; nothing is sent before the modules run. @throws ConfigError for secrets that cannot be read */
export function openNotifications(
  config: NotificationsConfig,
  { clock, log, registry }: { readonly clock: Clock; readonly log: Logger; readonly registry: Registry },
): Notifications {
  const shared = { clock, log, metrics: createOutletMetrics(registry), maxQueued: config.max_queued };
  const outlets = [
    ...(config.redis === undefined ? [] : [cableOutlet(config, config.redis, shared)]),
    ...config.webhooks.map((hook, index) => webhookOutlet(hook, `notifications.webhooks.${index}`, shared)),
  ];
  return {
    disconnectGraceMs: config.disconnect_grace,
    tell(notification) {
      for (const { outlet, wants } of outlets) if (wants(notification)) outlet.tell(notification);
    },
    modules: outlets.map(({ outlet, close }) => ({
      name: `notifications to ${outlet.name}`,
      run: (signal) => outlet.run(signal),
      drain: (deadline) => outlet.drain(deadline),
      close,
    })),
  };
}

type Shared = Pick<ConstructorParameters<typeof Outlet>[0], "clock" | "log" | "metrics" | "maxQueued">;

function cableOutlet(
  { actioncable }: NotificationsConfig,
  settings: NonNullable<NotificationsConfig["redis"]>,
  shared: Shared,
): OpenOutlet {
  const redis = openRedis(redisSettingsOf(settings), shared.log);
  const publish = (channel: string, payload: string): Promise<unknown> => redis.commands.publish(channel, payload);
  const deliver = actionCable({ publish, channelPrefix: actioncable.channel_prefix, stream: actioncable.stream });
  const outlet = new Outlet({ ...shared, name: "actioncable", deliver, backoff: REDIS_PACE });
  return { outlet, wants: () => true, close: async () => redis.close() };
}

function webhookOutlet(hook: NotificationsConfig["webhooks"][number], key: string, shared: Shared): OpenOutlet {
  const previous = hook.previous_secret_file;
  const secrets = [
    readSecretFile(hook.secret_file, `${key}.secret_file`),
    ...(previous === undefined ? [] : [readSecretFile(previous, `${key}.previous_secret_file`)]),
  ];
  const { events } = hook;
  const webhook = openWebhook({
    url: new URL(hook.url),
    secrets,
    ...(events === undefined ? {} : { events }),
    allowPrivate: hook.allow_private_network,
    clock: shared.clock,
  });
  const outlet = new Outlet({
    ...shared,
    name: hook.name,
    deliver: (notification, signal) => webhook.deliver(notification, signal),
    backoff: WEBHOOK_PACE,
    maxAttempts: WEBHOOK_ATTEMPTS,
  });
  return { outlet, wants: (notification) => webhook.wants(notification), close: () => webhook.close() };
}

/** Publishes as ActionCable's Redis adapter does: a client that streams from that name gets the payload unchanged. */
export function actionCable({ publish, channelPrefix, stream }: ActionCableOptions): (notification: Notification) => Promise<Delivery> {
  return async (notification) => {
    const name = stream.replaceAll("{agent_id}", String(notification.agent_id));
    try {
      await publish(channelPrefix === undefined ? name : `${channelPrefix}:${name}`, JSON.stringify(notification));
      return { kind: "delivered" };
    } catch (error) {
      return { kind: "failed", why: error instanceof Error ? error.message : "Redis does not take it" };
    }
  };
}
