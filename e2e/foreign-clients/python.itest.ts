// needs: control-plane
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { ExecScene } from "../exec/exec-scene.ts";
import { installedPython } from "./build-clients.ts";

const python = installedPython();
const scene = new ExecScene();

beforeAll(() => scene.start());
afterAll(() => scene.stop());

test.each(["near", "far"])(
  "Python's kubernetes.stream runs commands, forwards a port and follows a log through the %s kas",
  async (kas) => {
    const script = join(import.meta.dirname, "streams.py");
    const { stdout } = await promisify(execFile)(python, [script, join(scene.directory, `${kas}.kubeconfig`)]);
    expect(JSON.parse(stdout)).toEqual({
      run_command: { stdout: "a line\n", stderr: "words\n", code: 7 },
      use_terminal: { size: true, code: 3 },
      forward_port: { same: true, error: null },
      follow_log: 3,
    });
  },
);
