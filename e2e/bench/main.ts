/** `npm run bench [-- tunnel|view|pixel|model|storms]`: prints figures, each beside the direct path of the same run. Asserts no time. */
import { benchModel } from "./model.ts";
import { benchPixel } from "./pixel.ts";
import { benchStorms } from "./storms.ts";
import { benchTunnel } from "./tunnel.ts";
import { benchView } from "./view.ts";

const BENCHMARKS: Readonly<Record<string, () => Promise<void>>> = {
  tunnel: benchTunnel,
  view: benchView,
  pixel: benchPixel,
  model: benchModel,
  storms: benchStorms,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  process.stderr.write(`unknown benchmark ${unknown.join(", ")}; there are ${Object.keys(BENCHMARKS).join(", ")}\n`);
  process.exit(2);
}
for (const [name, run] of Object.entries(BENCHMARKS)) {
  // What `model` prints is a part of `view`.
  if (names.length > 0 ? !names.includes(name) : name === "model") continue;
  process.stderr.write(`▸ ${name}\n`);
  await run();
}
