// needs: control-plane
import { afterAll, beforeAll } from "vitest";

import { describeClientNode } from "./client-node.conformance.ts";
import { ExecScene } from "./exec-scene.ts";
import { describeKubectl } from "./kubectl.conformance.ts";

const scene = new ExecScene();

beforeAll(() => scene.start());
afterAll(() => scene.stop());

describeKubectl(scene, [
  { kas: "near", protocol: "WebSocket" },
  { kas: "near", protocol: "SPDY" },
  { kas: "far", protocol: "WebSocket" },
  { kas: "far", protocol: "SPDY" },
]);
describeClientNode(scene);
