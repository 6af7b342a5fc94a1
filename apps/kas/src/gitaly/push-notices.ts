import { createHash, randomBytes } from "node:crypto";

import { listenToHints, sayHint } from "../redis/hint-channel.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";

/**
 * Notifies listeners on every kas of a push to their project: the main application calls one kas, and the stream that waits is mostly at
 * another. It is a hint: the next poll compensates for a lost one.
 */
export class PushNotices {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #redis: RedisConnection | undefined;
  /** First part of what we say ourselves: it comes back to us, and has been heard already. */
  readonly #own = `${randomBytes(8).toString("hex")}:`;

  /** @param redis shared by all kas; without it this kas is alone. It is listened to until it is closed. */
  constructor(redis?: RedisConnection) {
    this.#redis = redis;
    if (redis)
      listenToHints(redis, channelOf(redis), {
        hinted: (message) => message.startsWith(this.#own) || this.#tell(message.slice(message.indexOf(":") + 1)),
      });
  }

  /** @param projectPath full path of the project @returns takes the listener back */
  onPush(projectPath: string, listener: () => void): () => void {
    const digest = digestOf(projectPath);
    const listeners = this.#waiting.get(digest) ?? new Set();
    listeners.add(listener);
    this.#waiting.set(digest, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#waiting.get(digest) === listeners) this.#waiting.delete(digest);
    };
  }

  /** The main application reported a push to this kas. */
  pushed(projectPath: string): void {
    const digest = digestOf(projectPath);
    this.#tell(digest);
    if (this.#redis) sayHint(this.#redis, channelOf(this.#redis), this.#own + digest);
  }

  #tell(digest: string): void {
    for (const listener of this.#waiting.get(digest) ?? []) listener();
  }
}

function channelOf(redis: RedisConnection): string {
  return `${redis.keyPrefix}:binnacle:1:git_push`;
}

/** Paths have no limit that matters, hints do. */
function digestOf(projectPath: string): string {
  return createHash("sha256").update(projectPath).digest("base64url");
}
