// needs: control-plane
import { afterAll, beforeAll, expect, test } from "vitest";

import { ExecScene } from "../exec/exec-scene.ts";
import { describeKubectl } from "../exec/kubectl.conformance.ts";
import { builtKubectl } from "./build-clients.ts";

const scene = new ExecScene(builtKubectl());

beforeAll(() => scene.start());
afterAll(() => scene.stop());

test("this kubectl is of 1.28", async () => {
  const { stdout } = await scene.kubectl({ kas: "near", protocol: "SPDY" }, ["version", "--client", "-o", "json"]);
  expect(JSON.parse(stdout.toString())).toMatchObject({ clientVersion: { gitVersion: "v1.28.15" } });
});

describeKubectl(scene, [
  { kas: "near", protocol: "SPDY" },
  { kas: "far", protocol: "SPDY" },
]);
