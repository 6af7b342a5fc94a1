import { systemClock } from "@binnacle/rpc";
import { afterEach, describe } from "vitest";

import { describeBodies } from "./transport-bodies.conformance.ts";
import { describeOnce } from "./transport-once.conformance.ts";
import type { OpenTransport, TransportScene, TransportUnderTest } from "./transport-scene.ts";
import { describeTexts } from "./transport-texts.conformance.ts";

/**
 * What everything that calls itself a KubeTransport must do, against a server that reads slowly, breaks off, answers too early, and
 * counts.
 */
export function describeKubeTransport(name: string, open: OpenTransport): void {
  describe(`KubeTransport: ${name}`, () => {
    let under: TransportUnderTest | undefined;

    afterEach(async () => {
      await under?.close();
      under = undefined;
    });

    const scene: TransportScene = {
      async transportTo(handler, clock = systemClock) {
        under = await open(handler, clock);
        return under.transport;
      },
      leave: async () => under?.leave(),
    };
    describeBodies(scene);
    describeOnce(scene);
    describeTexts(scene);
  });
}
