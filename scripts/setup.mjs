// Installs the dependencies when the lock file is not the one they were installed from. Plain JavaScript without imports
// from npm, because it runs on the machine's own Node (20 or newer) before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "node_modules", ".binnacle-lock");

// A hash, not a time: touching the lock file must not install everything again.
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
let installed = "";
try {
  installed = readFileSync(stamp, "utf8");
} catch {
  // not installed yet
}
if (installed !== wanted) {
  process.stderr.write("Installing dependencies (about a minute the first time) …\n");
  const started = Date.now();
  const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (result.status !== 0) {
    process.stderr.write("The dependencies could not be installed: `npm ci` failed, see above. It needs a reachable npm registry.\n");
    process.exit(1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
  process.stderr.write(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.\n`);
}
if (process.platform !== "linux" && Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write("This machine is not Linux, so Node 24 does not come with the repository: install Node 24 and try again.\n");
  process.exit(1);
}
