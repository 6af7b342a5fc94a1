import { spawnSync } from "node:child_process";

/**
 * What `promtool check metrics` finds wrong with metrics; the test says `// needs: prometheus`.
 *
 * @param text metrics as Prometheus reads them
 * @throws Error when promtool cannot be run
 */
export function lintMetrics(text: string): string[] {
  const { error, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  if (error) throw new Error("promtool cannot be run; it comes with Debian's package prometheus", { cause: error });
  return `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
}
