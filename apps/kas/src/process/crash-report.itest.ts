import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

/** Runs a crash in a process of its own. */
function crash(how: string) {
  const [report, telemetry] = ["crash-report.ts", "../../../../packages/telemetry/src/index.ts"].map((file) =>
    join(import.meta.dirname, file),
  );
  const program = `
    import { reportCrashes } from ${JSON.stringify(report)};
    import { createLogger } from ${JSON.stringify(telemetry)};
    reportCrashes(createLogger("kas"), () => process.exit(1));
    ${how}
    setTimeout(() => undefined, 60_000);`;
  return spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", program], { encoding: "utf8" });
}

test.each([
  ["uncaughtException", `setImmediate(() => { throw new TypeError("first\\nsecond"); });`],
  ["unhandledRejection", `void Promise.reject(new TypeError("first\\nsecond"));`],
])("I8: an %s is one JSON line, and the process ends with 1", (event, how) => {
  const { status, stderr } = crash(how);
  expect(status).toBe(1);
  const lines = stderr.trim().split("\n");
  expect(lines).toHaveLength(1);
  const line: unknown = JSON.parse(lines[0] ?? "");
  expect(line).toMatchObject({
    level: "error",
    app: "kas",
    msg: "kas crashed",
    event,
    error: { type: "TypeError", message: "first\nsecond" },
  });
});
