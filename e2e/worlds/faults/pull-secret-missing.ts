import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, podSpec, waiting, warning } from "../made.ts";

/** A pull secret that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const image = "private.example/shop/payments:2.3.0";
  const cause = "failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized";
  const objects = deployment(ago, "pull-secret-missing", {
    spec: podSpec({ image }, { imagePullSecrets: [{ name: "regcred" }] }),
    pods: [waiting(ago(23), ["ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${cause}`])],
  });
  const message = "Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.";
  objects.push(warning(ago, ofKind(objects, "Pod"), ["FailedToRetrieveImagePullSecret", message, 22, 1]));
  return {
    fault: "A pull secret that does not exist",
    objects,
    says: {
      of: "Deployment pull-secret-missing",
      place: "issue",
      cause: ["regcred"],
      next: ["Create Secret regcred"],
      since: ago(23),
    },
  };
};
