// needs: control-plane
import { afterAll, beforeAll, beforeEach } from "vitest";

import { bench } from "./real-cluster/sync-bench.ts";

// One subject a file. They share a control plane, whose start takes longer than most of them.
import "./real-cluster/applying.ts";
import "./real-cluster/options.ts";
import "./real-cluster/comparing.ts";

import "./real-cluster/large.ts";
import "./real-cluster/claims.ts";
import "./real-cluster/converting.ts";
import "./real-cluster/pruning.ts";
import "./real-cluster/resuming.ts";
import "./real-cluster/replicas.ts";
import "./real-cluster/restarts.ts";
import "./real-cluster/taking-over.ts";

beforeAll(() => bench.start());
afterAll(() => bench.stop());
beforeEach(() => bench.enter());
