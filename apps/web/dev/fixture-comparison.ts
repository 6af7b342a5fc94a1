import { CompareManifestResponseSchema, ManifestFieldState, ManifestSource, type CompareManifestResponse } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

type Field = NonNullable<MessageInitShape<typeof CompareManifestResponseSchema>["fields"]>[number];

const SHA = "4f2c91e08a7b6c5d4e3f2a1b0c9d8e7f60514233";
const { SAME, DIFFERENT, ABSENT, EXTRA } = ManifestFieldState;
const ADDRESS = "https://billing-gateway.internal.shop.example.com/v2/charges?region=eu-north-1&retries=5&timeout=30s";

const UNCHANGED = Array.from({ length: 12 }, (_, index) => `    part-${index + 1}: shop\n`).join("");

function yaml(upstream: string, spec: string, password: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: legacy-bridge
  annotations:
    shop.example.com/upstream: ${upstream}
  labels:
    app.kubernetes.io/part-of: shop
${UNCHANGED}spec:
  type: ClusterIP
${spec}stringData:
  password: "${password}"
`;
}

const DESIRED = yaml(ADDRESS, "  sessionAffinity: None\n  selector:\n    app: bridge\n    tier: backend\n", "***** (1)");
const LIVE = yaml(
  `${ADDRESS}&debug=1`,
  "  sessionAffinity: ClientIP\n  selector:\n    app: bridge\n  ports:\n    - port: 9100\n      protocol: TCP\n      targetPort: 9100\n",
  "***** (2)",
);

/** A resource beside its manifest, with a field of each state. */
export function fixtureComparison(): CompareManifestResponse {
  const fields: readonly Field[] = [
    { path: "metadata.labels[app.kubernetes.io/part-of]", line: 6, state: SAME, desired: "shop", live: "shop" },
    { path: "metadata.annotations[shop.example.com/upstream]", line: 8, state: DIFFERENT, desired: ADDRESS, live: `${ADDRESS}&debug=1` },
    { path: "spec.type", line: 10, state: SAME, desired: "ClusterIP", live: "ClusterIP" },
    { path: "spec.sessionAffinity", line: 11, state: DIFFERENT, desired: "None", live: "ClientIP", manager: "kubectl-edit" },
    { path: "spec.selector.tier", line: 14, state: ABSENT, desired: "backend" },
    { path: "spec.ports[9100]", line: 15, state: EXTRA, live: '{"port":9100,"protocol":"TCP","targetPort":9100}' },
    { path: "stringData.password", line: 31, state: DIFFERENT, hidden: true },
  ];
  return create(CompareManifestResponseSchema, {
    project: "shop/manifests",
    sha: SHA,
    manifest: { path: "deploy/bridge.yaml", line: 3, url: `https://gitlab.example.com/shop/manifests/-/blob/${SHA}/deploy/bridge.yaml#L3` },
    fields: [...fields],
    different: 5,
    compared: 7,
    source: ManifestSource.GIT,
    desiredYaml: DESIRED,
    liveYaml: LIVE,
  });
}
