import { ConnectRequestSchema } from "@binnacle/proto/reverse-tunnel";
import { create, toBinary } from "@bufbuild/protobuf";

import type { TunnelRegistry } from "../tunnel-registry.ts";
import { Tunnel } from "../tunnel.ts";
import { FakeTunnelStream } from "./fake-tunnel-stream.ts";

/** What kind of tunnel. */
export interface OpenTunnelOptions {
  readonly agentId?: bigint;
  readonly replica?: string;
  readonly canImpersonate?: boolean;
  /** Absent: an agent without our capabilities. */
  readonly poolMaximum?: number;
}

/** A ready tunnel of a registry, without sockets; it offers "/s.S/M". */
export function openTunnel(registry: TunnelRegistry, of: OpenTunnelOptions = {}): Tunnel {
  const tunnel = new Tunnel(
    {
      agentId: of.agentId ?? 1n,
      replica: of.replica ?? "i:a",
      can: () => of.canImpersonate ?? false,
      poolMaximum: of.poolMaximum,
      onReady: (ready) => registry.add(ready),
      onDone: (gone) => registry.remove(gone),
    },
    new FakeTunnelStream(),
  );
  const value = { agentDescriptor: { services: [{ name: "s.S", methods: [{ name: "M" }] }] } };
  tunnel.receive(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { msg: { case: "descriptor", value } })));
  return tunnel;
}
