/**
 * `npm run bench [-- tunnel|view|dashboard|model|graph|health|storms|soak|gitops|views|overview|services|streams|agentk-size] [--cases DIR]`: prints figures, each beside the direct path of the same run.
 * Asserts no time. `--cases` is for `health`: a directory with `cases.json`, see `readForeignCases`. `--target URL --token TOKEN --api-port N` is for
 * `tunnel`: another Kubernetes proxy, whose cluster is the stand-in that then listens on 127.0.0.1:N, is measured in the same rounds. `--mib N` is for `streams`: what is
 * copied each way, 1,024 by default; `--only PART,PART` takes only these of its parts: terminals, exec, forwards, copies, web-terminals, logs,
 * log-search, log-page.
 */

import { readArguments } from "@binnacle/testing";
import { benchAgentkSize } from "./agentk-size.ts";
import { benchDashboard } from "./dashboard.ts";
import { endChildrenWithSignal } from "./end-with-signal.ts";
import { benchGitops } from "./gitops.ts";
import { benchHealth } from "./health.ts";
import { benchGraph, benchModel } from "./model.ts";
import { benchServices } from "./services.ts";
import { benchSoak } from "./soak.ts";
import { benchStorms } from "./storms.ts";
import { benchOverview } from "./overview.ts";
import { otherProxyOf } from "./other-proxy.ts";
import { benchTunnel } from "./tunnel.ts";
import { benchStreams } from "./streams.ts";
import { benchView } from "./view.ts";
import { benchViews } from "./views.ts";

const USAGE = "usage: npm run bench -- [part …] [--cases DIR] [--target URL --token TOKEN --api-port N] [--mib N] [--only PART,…]";
const { values, positionals: names } = readArguments(USAGE, {
  options: {
    cases: { type: "string" },
    target: { type: "string" },
    token: { type: "string" },
    "api-port": { type: "string" },
    mib: { type: "string", default: "1024" },
    only: { type: "string", default: "" },
  },
  allowPositionals: true,
});

const BENCHMARKS: Readonly<Record<string, () => Promise<void>>> = {
  tunnel: () => benchTunnel(otherProxyOf({ url: values.target, token: values.token, apiPort: values["api-port"] })),
  view: benchView,
  dashboard: benchDashboard,
  model: benchModel,
  graph: benchGraph,
  health: () => benchHealth(values.cases),
  storms: benchStorms,
  soak: benchSoak,
  gitops: benchGitops,
  views: benchViews,
  overview: benchOverview,
  services: benchServices,
  streams: () => benchStreams(Number(values.mib), values.only.split(",").filter(Boolean)),
  "agentk-size": benchAgentkSize,
};

const unknown = names.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  process.stderr.write(`unknown benchmark ${unknown.join(", ")}; there are ${Object.keys(BENCHMARKS).join(", ")}\n`);
  process.exit(2);
}
endChildrenWithSignal();
for (const [name, run] of Object.entries(BENCHMARKS)) {
  // What `model` prints is a part of `view`, and what `graph` prints of `model`.
  if (names.length > 0 ? !names.includes(name) : name === "model" || name === "graph") continue;
  process.stderr.write(`▸ ${name}\n`);
  await run();
}
