import { describe, expect, test } from "vitest";

import { textIn } from "../json-tree.ts";
import type { SuiteContext } from "./suite-context.ts";

/** What people type. */
export function describeKubectl(context: SuiteContext): void {
  const map = (name: string, data: Readonly<Record<string, string>>): string =>
    JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });

  describe("kubectl", () => {
    test("applies, changes and prunes fields from the client", async () => {
      expect((await context.kubectl(["apply", "-f", "-"], map("typed", { a: "1", b: "2" }))).stdout).toContain("configmap/typed created");
      expect((await context.kubectl(["apply", "-f", "-"], map("typed", { a: "3" }))).stdout).toContain("configmap/typed configured");
      expect((await context.kubectl(["apply", "-f", "-"], map("typed", { a: "3" }))).stdout).toContain("configmap/typed unchanged");
      expect((await context.kubectl(["get", "configmap", "typed", "-o", "jsonpath={.data}"])).stdout).toBe('{"a":"3"}');
      expect((await context.kubectl(["diff", "-f", "-"], map("typed", { a: "3" }))).code).toBe(0);
    });

    test("applies from the server", async () => {
      expect((await context.kubectl(["apply", "--server-side", "-f", "-"], map("served", { a: "1" }))).stdout).toContain(
        "configmap/served serverside-applied",
      );
      const refused = await context.kubectl(["apply", "--server-side", "--field-manager=other", "-f", "-"], map("served", { a: "2" }));
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('conflict with "kubectl"');
    });

    test("goes on from the server with what it began on the client", async () => {
      await context.kubectl(["apply", "-f", "-"], map("moved", { a: "1" }));
      expect((await context.kubectl(["apply", "--server-side", "-f", "-"], map("moved", { a: "2" }))).stdout).toContain(
        "configmap/moved serverside-applied",
      );
      await context.kubectl(["patch", "configmap", "moved", "--field-manager=other", "-p", '{"data":{"a":"3"}}']);
      const refused = await context.kubectl(["apply", "--server-side", "-f", "-"], map("moved", { a: "4" }));
      expect(refused.stderr).toContain('conflict with "other"');
    });

    test("refuses a misspelt field before anything is stored", async () => {
      const answer = await context.kubectl(
        ["apply", "-f", "-"],
        JSON.stringify({ ...context.deployment("misspelt"), spec: { replica: 1 } }),
      );
      expect(answer.code).not.toBe(0);
      expect(answer.stderr).toContain('unknown field "spec.replica"');
    });

    test("creates, labels, annotates, patches, edits by replace, and deletes", async () => {
      expect((await context.kubectl(["create", "configmap", "made", "--from-literal=a=1"])).code).toBe(0);
      expect((await context.kubectl(["label", "configmap", "made", "colour=red"])).code).toBe(0);
      expect((await context.kubectl(["annotate", "configmap", "made", "note=hello"])).code).toBe(0);
      expect(
        (await context.kubectl(["patch", "configmap", "made", "--type=json", "-p", '[{"op":"add","path":"/data/b","value":"2"}]'])).code,
      ).toBe(0);
      const shown: unknown = JSON.parse((await context.kubectl(["get", "configmap", "made", "-o", "json"])).stdout);
      expect(shown).toMatchObject({ data: { a: "1", b: "2" }, metadata: { labels: { colour: "red" }, annotations: { note: "hello" } } });
      expect((await context.kubectl(["replace", "-f", "-"], JSON.stringify(shown))).code).toBe(0);
      expect((await context.kubectl(["delete", "configmap", "made"])).stdout).toContain('configmap "made" deleted');
      expect((await context.kubectl(["get", "configmap", "made"])).stderr).toContain('configmaps "made" not found');
    });

    test("creates workloads and Services from flags", async () => {
      expect(
        await context.kubectl(["create", "deployment", "flags", "--image=example/web:1", "--replicas=1", "--port=8080"]),
      ).toMatchObject({ code: 0 });
      expect(await context.kubectl(["expose", "deployment", "flags", "--port=80", "--target-port=8080"])).toMatchObject({ code: 0 });
      expect(await context.kubectl(["rollout", "status", "deployment/flags", "--timeout=30s"])).toMatchObject({ code: 0 });
      const table = await context.kubectl(["get", "deployment", "flags", "--no-headers"]);
      expect(table.stdout).toMatch(/^flags\s+1\/1\s+1\s+1\s/);
      const wide = await context.kubectl(["get", "service", "flags", "-o", "wide"]);
      expect(wide.stdout).toMatch(/NAME\s+TYPE\s+CLUSTER-IP\s+EXTERNAL-IP\s+PORT\(S\)\s+AGE\s+SELECTOR/);
      expect((await context.kubectl(["autoscale", "deployment", "flags", "--min=1", "--max=3", "--cpu=80%"])).code).toBe(0);
    });

    test("reads logs and describes", async () => {
      const logs = await context.kubectl(["logs", "deployment/flags", "--tail=1"]);
      expect(logs.code).toBe(0);
      expect(logs.stdout.trim().split("\n")).toHaveLength(1);
      const described = await context.kubectl(["describe", "deployment", "flags"]);
      expect(described.stdout).toContain("ScalingReplicaSet");
      expect(described.stdout).toMatch(/Replicas:\s+1 desired \| 1 updated \| 1 total \| 1 available/);
    });

    test("explains fields and lists resources", async () => {
      const explained = await context.kubectl(["explain", "deployment.spec.strategy.rollingUpdate"]);
      expect(explained.stdout).toContain("maxSurge");
      const resources = await context.kubectl(["api-resources", "--api-group=apps", "-o", "name"]);
      expect(resources.stdout.trim().split("\n").toSorted()).toEqual([
        "controllerrevisions.apps",
        "daemonsets.apps",
        "deployments.apps",
        "replicasets.apps",
        "statefulsets.apps",
      ]);
    });

    test("impersonates a user and queries their rights", async () => {
      const refused = await context.kubectl(["get", "pods", "--as=vera-without-rights"]);
      expect(refused.stderr).toContain('pods is forbidden: User "vera-without-rights" cannot list resource "pods"');
      expect((await context.kubectl(["auth", "can-i", "list", "pods", "--as=vera-without-rights"])).stdout.trim()).toBe("no");
      expect((await context.kubectl(["auth", "can-i", "delete", "deployments"])).stdout.trim()).toBe("yes");
      const who: unknown = JSON.parse((await context.kubectl(["auth", "whoami", "-o", "json", "--as=vera", "--as-group=readers"])).stdout);
      expect(textIn(who, "status", "userInfo", "username")).toBe("vera");
      expect((await context.kubectl(["create", "token", "default"])).stdout.trim().split(".")).toHaveLength(3);
    });

    test("waits for a condition and for the end of an object", async () => {
      expect((await context.kubectl(["wait", "--for=condition=Available", "deployment/flags", "--timeout=30s"])).code).toBe(0);
      expect((await context.kubectl(["delete", "deployment", "flags", "--cascade=foreground", "--timeout=30s"])).code).toBe(0);
      expect((await context.kubectl(["get", "pods", "-l", "app=flags", "-o", "name"])).stdout).toBe("");
    });
  });
}
