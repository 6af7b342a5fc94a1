import { expect, test } from "vitest";

import { keptYaml } from "./kept-yaml.ts";

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, labels: { app.kubernetes.io/name: web, tier: front } }
spec:
  replicas: 3
  template:
    spec:
      containers:
        - { name: sidecar, image: "registry.example.test/sidecar:1" }
        - { name: web, image: "registry.example.test/web:2", env: [{ name: A, value: "1" }] }
`;

test("a field is copied with its object and the items of lists on the way", () => {
  expect(keptYaml(WEB, "spec.template.spec.containers[web].image")).toBe(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  template:
    spec:
      containers:
        - name: web
          image: registry.example.test/web:2
`);
  expect(keptYaml(WEB, "metadata.labels[app.kubernetes.io/name]")).toContain("labels:\n    app.kubernetes.io/name: web\n");
  expect(keptYaml(WEB, "spec.template.spec.containers[web].env[A].value")).toContain('- name: A\n              value: "1"\n');
});

test.each(["spec.paused", "spec.template.spec.containers[none].image", "spec.replicas.more", "constructor"])(
  "nothing is copied for %s, which the object does not have",
  (field) => {
    expect(keptYaml(WEB, field)).toBeUndefined();
  },
);
