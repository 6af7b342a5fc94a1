import type { RedisConnection } from "./redis-connection.ts";

/** Longest hint we look at; ours are ids. */
const MAX_HINT = 128;

/**
 * Messages of one pub/sub channel. They are hints: lost while Redis is away, never trusted for data, and never longer than
 * 128 characters.
 *
 * @param onSubscribed called each time the subscription has come into force: what was said before may have been missed
 * @returns takes the listener back
 */
export function listenToHints(
  redis: RedisConnection,
  channel: string,
  listener: (message: string) => void,
  onSubscribed: () => void = () => undefined,
): () => void {
  let stopped = false;
  const onMessage = (from: string, message: string): void => {
    if (from === channel && message.length <= MAX_HINT) listener(message);
  };
  const subscribe = (): void => {
    redis.subscriber.subscribe(channel).then(
      () => stopped || onSubscribed(),
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
