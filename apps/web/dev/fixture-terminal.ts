import {
  type OpenTerminalRequest,
  type OpenTerminalResponseSchema,
  type PreviewDebugContainerRequest,
  type PreviewDebugContainerResponseSchema,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";

/** Environments of the made-up world that have terminals. */
export function hasFixtureTerminal(environment: string): boolean {
  return environment === "production";
}

/** A terminal that can be started, as far as the choice: this server has no sockets. */
export function fixtureTerminal({ environment, container }: OpenTerminalRequest): MessageInitShape<typeof OpenTerminalResponseSchema> {
  if (!hasFixtureTerminal(environment)) {
    throw new ConnectError(
      `terminals are switched off for ${environment}; see features.terminal in the configuration of the dashboard`,
      Code.PermissionDenied,
    );
  }
  const containers = [
    { name: "app", image: "registry.example.com/shop/checkout:1.8.2" },
    { name: "proxy", image: "registry.example.com/mesh/proxy:3.1" },
  ];
  const shown = { containers, production: true, debug: true };
  if (container !== "") return { ...shown, words: toWordsMessage(words("terminal/container-not-running", { container })) };
  return { ...shown, container: "app", ticket: "fixture" };
}

/** The debug container that would be added. */
export function fixtureDebugContainer({
  container,
}: PreviewDebugContainerRequest): MessageInitShape<typeof PreviewDebugContainerResponseSchema> {
  const uid = "7f1c9f0e-0000-4000-8000-000000000002";
  if (container === "proxy") return { uid, refused: toWordsMessage(words("answer/not-of-api")) };
  return { name: "debug-k7f2q", image: "busybox:1.37", uid, seconds: 43_200, needsName: true };
}
