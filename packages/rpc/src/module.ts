/** A part of a process with its own lifetime. */
export interface Module {
  readonly name: string;
  /** Settles once `signal` has aborted and everything this module opened is closed. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Runs modules side by side. The first that fails (or ends before it was told to) aborts the rest; all are awaited.
 *
 * @throws the first failure, after every module has ended
 */
export async function runModules(modules: readonly Module[], signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const forward = (): void => stop.abort(signal.reason);
  if (signal.aborted) forward();
  signal.addEventListener("abort", forward, { once: true });
  let failure: { readonly error: unknown } | undefined;
  await Promise.all(
    modules.map(async (module) => {
      try {
        await module.run(stop.signal);
        if (!stop.signal.aborted) throw new Error(`module ${module.name} ended before it was told to`);
      } catch (error) {
        failure ??= { error };
      } finally {
        stop.abort();
      }
    }),
  );
  signal.removeEventListener("abort", forward);
  if (failure) throw failure.error;
}
