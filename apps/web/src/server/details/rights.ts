import { fieldsAt, fieldsOf, listAt, textAt } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import type { Details, DetailInput, Item, Row } from "../detail-parts/details.ts";
import { link, plain, row, saying, scalarText, section, selectorText } from "../detail-parts/rows.ts";

const RBAC = "rbac.authorization.k8s.io";

/** Which Secrets it may use; whether pods get its token. */
export function serviceAccountDetails({ object, namespace }: DetailInput): Partial<Details> {
  const secrets = (field: string): (Item | undefined)[] =>
    listAt(object, field).map((each) => link({ kind: "Secret", name: fieldsOf(each)["name"], namespace }));
  const token = object["automountServiceAccountToken"];
  const facts = [
    ...row("detail/token", saying(token === false ? "detail/token-not-given" : "detail/token-given")),
    ...row("detail/pull-secrets", ...secrets("imagePullSecrets")),
    ...row("detail/secrets", ...secrets("secrets")),
  ];
  return { facts };
}

/** What may be done with what. */
export function roleDetails({ object }: DetailInput): Partial<Details> {
  const combined = listAt(fieldsAt(object, "aggregationRule"), "clusterRoleSelectors").map((each) => plain(selectorText(fieldsOf(each))));
  return {
    facts: row("detail/combined-of", ...combined),
    sections: section("detail/rules", { rows: listAt(object, "rules").flatMap(ruleRow) }),
  };
}

/** Who has which role. */
export function roleBindingDetails({ object, namespace }: DetailInput): Partial<Details> {
  const role = fieldsAt(object, "roleRef");
  const subjects = listAt(object, "subjects").map((each) => subjectItem(each, namespace));
  const facts = [
    ...row("detail/role", link({ group: RBAC, kind: textAt(role, "kind"), name: role["name"], namespace })),
    ...row("detail/subjects", ...(subjects.length > 0 ? subjects : [saying("detail/no-subjects")])),
  ];
  return { facts };
}

function ruleRow(rule: unknown): Row[] {
  const texts = (name: string): string[] => listAt(rule, name).map(scalarText);
  const verbs = texts("verbs");
  const label = verbs.includes("*") ? words("detail/all-verbs") : quoted(verbs.join(", "));
  const groups = texts("apiGroups");
  // As kubectl writes a resource of a group; the core group has no name.
  const resources = texts("resources").flatMap((resource) =>
    (groups.length === 0 ? [""] : groups).map((group) => (group === "" ? resource : `${resource}.${group}`)),
  );
  const names = texts("resourceNames");
  const items = [...resources, ...texts("nonResourceURLs")].map((text) => plain(text));
  return row(label, ...items, names.length === 0 ? undefined : saying("detail/only-named", { names: names.slice(0, 20) }));
}

function subjectItem(subject: unknown, namespace: string): Item | undefined {
  const [kind, name] = [textAt(subject, "kind"), textAt(subject, "name")];
  if (kind === "ServiceAccount") return link({ kind, name, namespace: textAt(subject, "namespace") || namespace });
  return name === "" ? undefined : plain(`${kind} ${name}`);
}
