import { afterAll, beforeAll, describe } from "vitest";

import { describeAccess } from "./conformance/access-suite.ts";
import { describeChanges } from "./conformance/changes-suite.ts";
import { ConformanceClient, runKubectl, type ApiUnderTest } from "./conformance/client.ts";
import { describeControllers } from "./conformance/controllers-suite.ts";
import { describeCustomResources } from "./conformance/custom-suite.ts";
import { describeEphemeralContainers } from "./conformance/ephemeral-suite.ts";
import { describeKubectl } from "./conformance/kubectl-suite.ts";
import { describeObjects } from "./conformance/objects-suite.ts";
import type { SuiteContext } from "./conformance/suite-context.ts";

/**
 * What anything that calls itself a Kubernetes API must do here: run against the embedded one and the real one, with the
 * same assertions and no branch.
 *
 * @param start gives a running cluster with controllers; it is stopped at the end
 */
export function describeKubernetesApi(name: string, start: () => Promise<ApiUnderTest>): void {
  describe(`Kubernetes API: ${name}`, () => {
    let running: { readonly under: ApiUnderTest; readonly client: ConformanceClient } | undefined;
    const namespace = `suite-${Math.random().toString(36).slice(2, 8)}`;
    const get = (): { readonly under: ApiUnderTest; readonly client: ConformanceClient } => {
      if (!running) throw new Error("the API under test has not started");
      return running;
    };
    const context: SuiteContext = {
      get under() {
        return get().under;
      },
      get client() {
        return get().client;
      },
      namespace,
      kubectl: (args, input) => runKubectl(get().under.kubeconfig, ["--namespace", namespace, ...args], input),
      deployment: (deployment) => ({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: deployment, labels: { app: deployment } },
        spec: {
          replicas: 2,
          selector: { matchLabels: { app: deployment } },
          template: {
            metadata: { labels: { app: deployment } },
            spec: { terminationGracePeriodSeconds: 1, containers: [{ name: "web", image: "example/web:1" }] },
          },
        },
      }),
    };

    beforeAll(async () => {
      const under = await start();
      running = { under, client: new ConformanceClient(under) };
      await running.client.post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      await running.client.object(`/api/v1/namespaces/${namespace}/serviceaccounts`, "default", () => true);
    });

    afterAll(async () => {
      await running?.client.close();
      await running?.under.stop();
    });

    describeObjects(context);
    describeChanges(context);
    describeEphemeralContainers(context);
    describeAccess(context);
    describeCustomResources(context);
    describeControllers(context);
    describeKubectl(context);
  });
}
