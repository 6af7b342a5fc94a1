import type { StatusCause } from "./api-error.ts";
import type { Meta } from "./api-object.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const QUALIFIED = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;

const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/** What is wrong with name, labels and finalizers of an object's metadata; empty when nothing is. */
export function metadataCauses(of: ResourceDefinition, metadata: Meta): StatusCause[] {
  return [...nameCauses(of, metadata.name), ...labelCauses(metadata.labels ?? {}), ...finalizerCauses(metadata.finalizers ?? [])];
}

function nameCauses(of: ResourceDefinition, name: string): StatusCause[] {
  const refuse = (text: string): StatusCause[] => [
    { reason: "FieldValueInvalid", message: `Invalid value: ${JSON.stringify(name)}: ${text}`, field: "metadata.name" },
  ];
  if (of.group === "rbac.authorization.k8s.io") {
    return /[/%]/.test(name) || name === "." || name === ".." ? refuse("may not contain '/' or '%'") : [];
  }
  if (of.storage === "/namespaces" || of.storage === "/services") {
    if (name.length > 63) return refuse("must be no more than 63 characters");
    return LABEL.test(name) ? [] : refuse(LABEL_TEXT);
  }
  if (name.length > 253) return refuse("must be no more than 253 characters");
  return SUBDOMAIN.test(name) ? [] : refuse(SUBDOMAIN_TEXT);
}

function labelCauses(labels: Readonly<Record<string, string>>): StatusCause[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const wrong = !QUALIFIED.test(key) ? key : value.length > 63 || !LABEL_VALUE.test(value) ? value : undefined;
    if (wrong === undefined) return [];
    const text =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    return [{ reason: "FieldValueInvalid", message: `Invalid value: ${JSON.stringify(wrong)}: ${text}`, field: "metadata.labels" }];
  });
}

function finalizerCauses(finalizers: readonly string[]): StatusCause[] {
  return finalizers
    .filter((one) => !QUALIFIED.test(one))
    .map((one) => ({
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify(one)}: name part must consist of alphanumeric characters`,
      field: "metadata.finalizers",
    }));
}

const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** Five random letters without vowels, as Kubernetes appends to `generateName`. */
export function randomSuffix(length = 5): string {
  return Array.from({ length }, () => SUFFIX_LETTERS[Math.floor(Math.random() * SUFFIX_LETTERS.length)]).join("");
}
