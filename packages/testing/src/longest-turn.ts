/**
 * Measures the processor time of this thread between two turns of its timers. Unlike time by the clock it leaves out how long the thread waits for a
 * processor.
 *
 * @returns ends the measurement, and returns the longest in milliseconds
 */
export function watchLongestTurn(): () => number {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  const watch = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    last = process.threadCpuUsage();
  }, 1);
  return () => {
    clearInterval(watch);
    return longestMs;
  };
}
