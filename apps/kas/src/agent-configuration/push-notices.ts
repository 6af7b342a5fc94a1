/** Tells whoever waits for a project's configuration that somebody pushed to it. */
export class PushNotices {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** @param projectPath full path of the project @returns takes the listener back */
  onPush(projectPath: string, listener: () => void): () => void {
    const listeners = this.#waiting.get(projectPath) ?? new Set();
    listeners.add(listener);
    this.#waiting.set(projectPath, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#waiting.delete(projectPath);
    };
  }

  pushed(projectPath: string): void {
    for (const listener of this.#waiting.get(projectPath) ?? []) listener();
  }
}
