import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";
import { shopBehind } from "../shop.ts";

/** Valid from 2025 to 2124, for other.example.com. */
const OF_ANOTHER_HOST = `-----BEGIN CERTIFICATE-----
MIIBSDCB76ADAgECAgEBMAoGCCqGSM49BAMCMBwxGjAYBgNVBAMMEW90aGVyLmV4
YW1wbGUuY29tMCAXDTI1MDEwMTAwMDAwMFoYDzIxMjQxMjA4MDAwMDAwWjAcMRow
GAYDVQQDDBFvdGhlci5leGFtcGxlLmNvbTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABDQZy38LUUEJttc+V9H8B7kwkiouTYsXWkW4oMrvp/aemhpS2tCXn/0ffCBm
0fi+G5iRRilyBNTPAO4ilw4lPq+jIDAeMBwGA1UdEQQVMBOCEW90aGVyLmV4YW1w
bGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIQDYYw1HWvwJDGr2xljTGpKX04s2dcbR
wkn+K5QFQMjZcQIgQzLnADUmZD29QK+N1z22JD6yWy/W+UFwZKoGZehwJs0=
-----END CERTIFICATE-----
`;

/** A certificate of another host than the one that is served. */
export const world: MakeFaultWorld = (ago) => {
  const data = { "tls.crt": btoa(OF_ANOTHER_HOST), "tls.key": btoa("none") };
  const secret = { ...made(ago, ["v1", "Secret", "other-host"]), type: "kubernetes.io/tls", data };
  return {
    fault: "A certificate of another host than the one that is served",
    objects: [...shopBehind(ago, { name: "certificate-host", port: { number: 80 }, secretName: "other-host" }), secret],
    says: {
      of: "Ingress certificate-host",
      place: "notice",
      cause: ["Host shop.example.com is not among the names of the certificate in Secret other-host"],
      next: ["Issue a certificate for all hosts of Ingress certificate-host"],
      issues: 1,
    },
  };
};
