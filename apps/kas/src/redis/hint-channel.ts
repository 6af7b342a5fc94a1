import type { RedisConnection } from "./redis-connection.ts";

/** Longest hint we look at; ours are ids and digests. */
const MAX_HINT = 128;

/** Receives hints. */
export interface HintListener {
  hinted(message: string): void;
  /** Hints begin to arrive, for the first time or after a break: earlier hints may have been missed. */
  listening?(): void;
}

/**
 * Messages of one pub/sub channel. They are hints: lost while Redis is away, never trusted for data, and never longer than
 * 128 characters.
 *
 * @returns takes the listener back
 */
export function listenToHints(redis: RedisConnection, channel: string, listener: HintListener): () => void {
  let stopped = false;
  const onMessage = (from: string, message: string): void => {
    if (from === channel && message.length <= MAX_HINT) listener.hinted(message);
  };
  const subscribe = (): void => {
    redis.subscriber.subscribe(channel).then(
      () => stopped || listener.listening?.(),
      () => undefined, // the next "ready" tries again
    );
  };
  redis.subscriber.on("message", onMessage);
  redis.subscriber.on("ready", subscribe);
  if (redis.subscriber.status === "ready") subscribe();
  return () => {
    stopped = true;
    redis.subscriber.off("message", onMessage);
    redis.subscriber.off("ready", subscribe);
    if (redis.subscriber.status === "ready") redis.subscriber.unsubscribe(channel).catch(() => undefined);
  };
}

/** Publishes a hint on a channel; it is lost while Redis is unavailable. */
export function sayHint(redis: RedisConnection, channel: string, message: string): void {
  redis.commands.publish(channel, message).catch(() => undefined); // a hint: listeners that miss it poll
}
