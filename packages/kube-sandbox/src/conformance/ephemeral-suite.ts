import { beforeAll, describe, expect, test } from "vitest";

import { listIn, numberIn, textIn, treeIn, type Tree } from "../json-tree.ts";
import type { ApiAnswer } from "./client.ts";
import type { SuiteContext } from "./suite-context.ts";

/** `pods/ephemeralcontainers`: containers are added to a pod through it, and nothing else is changed. */
export function describeEphemeralContainers(context: SuiteContext): void {
  const pods = (): string => `/api/v1/namespaces/${context.namespace}/pods`;
  const path = (): string => `${pods()}/bare/ephemeralcontainers`;
  const tools = { name: "tools", image: "busybox:1" };
  const add = (...containers: readonly Tree[]): Promise<ApiAnswer> =>
    context.client.patch(path(), "strategic", { spec: { ephemeralContainers: containers } });
  const causes = ({ body }: ApiAnswer): unknown[] =>
    listIn(body, "details", "causes").map((cause) => [textIn(cause, "field"), textIn(cause, "reason")]);

  describe("ephemeral containers", () => {
    beforeAll(async () => {
      const spec = { containers: [{ name: "web", image: "example/web:1" }] };
      await context.client.post(pods(), { apiVersion: "v1", kind: "Pod", metadata: { name: "bare" }, spec });
    });

    test("are added by a patch, which changes nothing else, and get defaults", async () => {
      const before = (await context.client.get(path())).body;
      const patch = { metadata: { labels: { a: "b" } }, spec: { activeDeadlineSeconds: 5, ephemeralContainers: [tools] } };
      const { code, body } = await context.client.patch(path(), "strategic", patch);
      expect(code).toBe(200);
      expect(listIn(body, "spec", "ephemeralContainers")).toEqual([
        {
          ...tools,
          resources: {},
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
          imagePullPolicy: "IfNotPresent",
        },
      ]);
      expect([textIn(body, "metadata", "labels", "a"), numberIn(body, "spec", "activeDeadlineSeconds")]).toEqual([undefined, undefined]);
      expect(numberIn(body, "metadata", "generation")).toBe((numberIn(before, "metadata", "generation") ?? 0) + 1);
    });

    test("are added by PUT, in the version that was read, and tried with a dry run", async () => {
      const statuses = (pod: Tree): readonly unknown[] => listIn(pod, "status", "ephemeralContainerStatuses");
      const read = await context.client.object(pods(), "bare", (pod) => statuses(pod).length === 1);
      const more = [...listIn(read, "spec", "ephemeralContainers"), { name: "more", image: "busybox:1" }];
      const wanted = { ...read, spec: { ...treeIn(read, "spec"), ephemeralContainers: more } };
      expect((await context.client.put(`${path()}?dryRun=All`, wanted)).code).toBe(200);
      expect(listIn((await context.client.get(path())).body, "spec", "ephemeralContainers")).toHaveLength(1);
      expect((await context.client.put(path(), wanted)).code).toBe(200);
      expect(listIn((await context.client.get(path())).body, "spec", "ephemeralContainers")).toHaveLength(2);
      await context.client.patch(path(), "strategic", { spec: { ephemeralContainers: [{ name: "third", image: "busybox:1" }] } });
      expect((await context.client.put(path(), wanted)).body).toMatchObject({ code: 409, reason: "Conflict" });
    });

    test.each([
      ["a name that a container has", [{ name: "web", image: "a" }], [["spec.ephemeralContainers[0].name", "FieldValueDuplicate"]]],
      ["no image", [{ name: "no-image" }], [["spec.ephemeralContainers[0].image", "FieldValueRequired"]]],
      ["a name that is none", [{ name: "No_Name", image: "a" }], [["spec.ephemeralContainers[0].name", "FieldValueInvalid"]]],
      [
        "a target that is no container",
        [{ name: "lost", image: "a", targetContainerName: "tools" }],
        [["spec.ephemeralContainers[0].targetContainerName", "FieldValueNotFound"]],
      ],
      [
        "ports, probes and resources",
        [
          {
            name: "serves",
            image: "a",
            ports: [{ containerPort: 80 }],
            livenessProbe: { exec: { command: ["true"] } },
            resources: { limits: { cpu: "1" } },
          },
        ],
        ["ports", "resources", "livenessProbe"].map((field) => [`spec.ephemeralContainers[0].${field}`, "FieldValueForbidden"]),
      ],
      ["another image for one that is there", [{ name: "tools", image: "other:1" }], [["spec.ephemeralContainers", "FieldValueForbidden"]]],
    ])("are rejected with %s", async (_, containers, expected) => {
      const answer = await add(...containers);
      expect(answer.code).toBe(422);
      expect(causes(answer)).toEqual(expect.arrayContaining(expected));
      expect(causes(answer)).toHaveLength(expected.length);
    });

    test("are not removed, not part of a new pod, and changed through their own path only", async () => {
      expect(causes(await context.client.patch(path(), "merge", { spec: { ephemeralContainers: [] } }))).toContainEqual([
        "spec.ephemeralContainers",
        "FieldValueForbidden",
      ]);
      const containers = [{ name: "web", image: "example/web:1" }];
      const made = { apiVersion: "v1", kind: "Pod", metadata: { name: "made" }, spec: { containers, ephemeralContainers: [tools] } };
      expect(causes(await context.client.post(pods(), made))).toEqual([["spec.ephemeralContainers", "FieldValueForbidden"]]);
      const more = { spec: { ephemeralContainers: [{ name: "more-2", image: "busybox:1" }] } };
      expect((await context.client.patch(`${pods()}/bare`, "strategic", more)).code).toBe(422);
      expect((await context.client.patch(`${pods()}/none/ephemeralcontainers`, "strategic", more)).code).toBe(404);
    });
  });
}
