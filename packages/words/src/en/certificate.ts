import type { Catalogue } from "../catalogue.ts";

/** What is known of a certificate, for the drawer. Facts: secret, names, more, time, by, as. */
export const CERTIFICATE = {
  "certificate/known":
    "Certificate in Secret {secret}{has_time, select, no {} other {: valid until {time} UTC}}{has_names, select, no {} other {, for {names}}}{has_more, select, no {} other { and {more} more}}{has_as, select, no {} other { (as of {as} UTC)}}",
  "certificate/known-by":
    "Certificate in Secret {secret}, by Certificate {by}{has_time, select, no {} other {: valid until {time} UTC}}{has_names, select, no {} other {, for {names}}}{has_more, select, no {} other { and {more} more}}",
  "certificate/unreadable": "Secret {secret} has no readable certificate",
  "certificate/wrong-type": "Secret {secret} is not of type kubernetes.io/tls, so its certificate is not read",
  "certificate/not-visible": "The certificate in Secret {secret} is not visible to you",
  "certificate/unknown": "The certificate in Secret {secret} has not been read yet",
  "certificate/unread": "The certificate in Secret {secret} is not read: too many are named here",
} as const satisfies Catalogue;
