import { DeliveryState, DeploymentSchema, DeploymentSource, LastDeploymentSchema, type LastDeployment } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

const SHA = "4f2c91e08a7b6c5d4e3f2a1b0c9d8e7f60514233";
const PROJECT_URL = "https://harbor.example.com/harbor/storefront";
const DEPLOYED: MessageInitShape<typeof DeploymentSchema> = {
  sha: SHA,
  ref: "main",
  title: "Take the flags of the checkout from a ConfigMap",
  commitUrl: `${PROJECT_URL}/-/commit/${SHA}`,
  author: "Ann Ekdahl",
};
const MINUTE_MS = 60_000;

/** The last deployment of an environment: by a job, by GitOps where it is called so; of review apps it is not known, and `empty` has none. */
export function fixtureDeployment(name: string, nowMs: number): LastDeployment {
  if (name === "empty") return create(LastDeploymentSchema, { state: DeliveryState.NONE });
  if (name.startsWith("review/")) return create(LastDeploymentSchema, { state: DeliveryState.UNKNOWN });
  return create(LastDeploymentSchema, { state: DeliveryState.KNOWN, value: deployed(name, nowMs) });
}

function deployed(name: string, nowMs: number) {
  const at = timestampFromMs(nowMs - 9 * MINUTE_MS);
  if (name.startsWith("gitops")) return create(DeploymentSchema, { ...DEPLOYED, source: DeploymentSource.GITOPS, at });
  return create(DeploymentSchema, {
    ...DEPLOYED,
    source: DeploymentSource.CI,
    byUsername: "mara",
    byName: "Mara Lindqvist",
    job: `deploy:${name}`,
    jobUrl: `${PROJECT_URL}/-/jobs/88124`,
    at,
  });
}
