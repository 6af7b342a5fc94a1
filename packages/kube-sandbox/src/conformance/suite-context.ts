import type { Tree } from "../json-tree.ts";
import type { ApiUnderTest, ConformanceClient, KubectlResult } from "./client.ts";

/** What every part of the suite works with; filled in before its tests run. */
export interface SuiteContext {
  readonly under: ApiUnderTest;
  /** As administrator. */
  readonly client: ConformanceClient;
  /** A namespace of this run. */
  readonly namespace: string;
  /** kubectl as administrator in that namespace. */
  kubectl(args: readonly string[], input?: string): Promise<KubectlResult>;
  /** A Deployment of one container `web` with two replicas. */
  deployment(name: string): Tree;
}
