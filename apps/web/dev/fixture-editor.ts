import { EditPreference, type OpenEditorRequest, type OpenEditorResponseSchema, type EditPreviewSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import type { MessageInitShape } from "@bufbuild/protobuf";

const IMAGE = "registry.example.com/shop/checkout:1.8.2";
const YAML = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: checkout
  namespace: shop-prod
  labels:
    app.kubernetes.io/name: checkout
  uid: 7f1c9f0e-0000-4000-8000-000000000001
spec:
  replicas: 3
  selector:
    matchLabels:
      app.kubernetes.io/name: checkout
  template:
    metadata:
      labels:
        app.kubernetes.io/name: checkout
    spec:
      containers:
        - name: app
          image: ${IMAGE}
          imagePullPolicy: IfNotPresent
          ports:
            - containerPort: 8080
              name: http
        - name: proxy
          image: registry.example.com/mesh/proxy:3.1
`;

const SCHEMA = {
  root: "Deployment",
  schemas: {
    Deployment: { type: "object", properties: { spec: { ref: "DeploymentSpec" } } },
    DeploymentSpec: {
      type: "object",
      properties: {
        replicas: { type: "integer", description: "Number of desired pods. Defaults to 1." },
        revisionHistoryLimit: {
          type: "integer",
          description: "The number of old ReplicaSets to retain to allow rollback. Defaults to 10.",
        },
      },
    },
  },
};

/** The document of the made-up Deployment; changes are placed on an image that another writer has changed. */
export function fixtureEditor({ base, edited, preference }: OpenEditorRequest): MessageInitShape<typeof OpenEditorResponseSchema> {
  const opened = { yaml: YAML, resourceVersion: "41", uid: "7f1c9f0e-0000-4000-8000-000000000001" };
  if (base === "" || base === edited) return opened;
  const path = "spec.template.spec.containers[app].image";
  const wins = preference === EditPreference.EDITED;
  const conflict = {
    path,
    before: `"${IMAGE}"`,
    edited: '"registry.example.com/shop/checkout:1.9.0"',
    present: `"${IMAGE}-hotfix"`,
    managers: ["kubectl"],
  };
  return { ...opened, edited: wins ? edited : edited.replaceAll("1.9.0", "1.8.2-hotfix"), resourceVersion: "42", conflicts: [conflict] };
}

/** What the fixture says of an edit; a line with `typo` is refused. */
export function fixtureEdit(edited: string): {
  readonly refused?: ReturnType<typeof toWordsMessage>;
  readonly edit: MessageInitShape<typeof EditPreviewSchema>;
} {
  const line = edited.split("\n").findIndex((each) => each.includes("typo")) + 1;
  if (line > 0) {
    const problem = { line, path: "spec.typo", words: toWordsMessage(words("quoted", { text: 'unknown field "spec.typo"' })) };
    return { refused: problem.words, edit: { problems: [problem] } };
  }
  const fields = [{ path: "spec.replicas", managers: ["kubectl", "argocd-controller"] }];
  return { edit: { fields, warnings: ["spec.template.spec.nodeName: deprecated"], resultYaml: edited } };
}

/** The schema of the made-up Deployment. */
export function fixtureSchema(): { readonly schema: string } {
  return { schema: JSON.stringify(SCHEMA) };
}
