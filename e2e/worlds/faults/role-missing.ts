import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** A RoleBinding to a Role that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const binding = made(ago, ["rbac.authorization.k8s.io/v1", "RoleBinding", "role-missing"], {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "no-such-role" },
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "nina" }],
  });
  return {
    fault: "A RoleBinding to a Role that does not exist",
    objects: [binding],
    says: {
      of: "Role no-such-role",
      place: "issue",
      cause: ["Role no-such-role does not exist; RoleBinding role-missing refers to it"],
      next: ["Create Role no-such-role"],
    },
  };
};
