import type { NextConfig } from "next";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const config: NextConfig = {
  // Workspaces have no build: Next compiles their sources.
  transpilePackages: [
    "@binnacle/proto",
    "@binnacle/kube",
    "@binnacle/health",
    "@binnacle/graph",
    "@binnacle/environment-view",
    "@binnacle/rpc",
    "@binnacle/telemetry",
    "@binnacle/config",
  ],
  turbopack: { root: ROOT },
  outputFileTracingRoot: ROOT,
  poweredByHeader: false,
  reactStrictMode: true,
  // Streams must never wait in a compressor.
  compress: false,
  devIndicators: false,
};

export default config;
