import { listAt, listOf, textAt, textOf, isFields, type Fields } from "@binnacle/kube";

/**
 * What is known of a certificate that an Ingress or a Gateway names.
 * - `known`: names and validity are.
 * - `unreadable`: there is a Secret, and no certificate that can be read in it.
 * - `wrong-type`: the Secret is not of type kubernetes.io/tls.
 * - `not-visible`: the viewer may not read the Secret, and nothing else describes the certificate.
 * - `unknown`: it was not read yet.
 * - `unread`: more Secrets are named than are read for one view.
 */
type CertificateState = "known" | "unreadable" | "wrong-type" | "not-visible" | "unknown" | "unread";

/** A certificate as a rule may know it: never its key. */
export interface KnownCertificate {
  /** Of the Secret. */
  readonly namespace: string;
  /** Name of the Secret. */
  readonly secret: string;
  readonly state: CertificateState;
  /** DNS names and addresses that it is for. Absent unless known. */
  readonly names?: readonly string[];
  /** There are more names than `names` has: what is not among them may be. */
  readonly namesCut?: boolean;
  /** ISO 8601. Absent = not known. */
  readonly notBefore?: string;
  /** ISO 8601. Absent = not known. */
  readonly notAfter?: string;
  /** ISO 8601: the earliest end among the certificates beside it. Absent = there are none. */
  readonly chainNotAfter?: string;
  /** Name of the Certificate of cert-manager that says so, when the Secret itself is not readable. */
  readonly by?: string;
  /** ISO 8601: when it was read, if it could not be read again since. */
  readonly asOf?: string;
}

const STATES: readonly CertificateState[] = ["known", "unreadable", "wrong-type", "not-visible", "unknown", "unread"];
/** As the reader keeps them. */
const MAX_NAMES = 100;

/** Reads what a caller hands over, whatever it is; `undefined` = nothing is known. */
export function knownCertificatesOf(value: unknown): readonly KnownCertificate[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return listOf(value).filter(isFields).flatMap(certificateOf);
}

function certificateOf(fields: Fields): KnownCertificate[] {
  const state = STATES.find((each) => each === fields["state"]);
  const secret = textAt(fields, "secret");
  if (state === undefined || secret === "") return [];
  const names = listAt(fields, "names").slice(0, MAX_NAMES).map(textOf).filter(Boolean);
  return [
    {
      namespace: textAt(fields, "namespace"),
      secret,
      state,
      names,
      ...(fields["namesCut"] === true ? { namesCut: true } : {}),
      ...textField("notBefore", fields),
      ...textField("notAfter", fields),
      ...textField("chainNotAfter", fields),
      ...textField("by", fields),
      ...textField("asOf", fields),
    },
  ];
}

type TextField = "notBefore" | "notAfter" | "chainNotAfter" | "by" | "asOf";

function textField(name: TextField, fields: Fields): { readonly [field in TextField]?: string } {
  const text = textAt(fields, name);
  return text === "" ? {} : { [name]: text };
}
