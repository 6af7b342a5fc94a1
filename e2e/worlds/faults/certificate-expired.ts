import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";
import { shopBehind } from "../shop.ts";

/** Valid from 1 September to 1 December 2025, for shop.example.com. */
const EXPIRED = `-----BEGIN CERTIFICATE-----
MIIBYzCCAQmgAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBzaG9wLmV4
YW1wbGUuY29tMB4XDTI1MDkwMTAwMDAwMFoXDTI1MTIwMTAwMDAwMFowGzEZMBcG
A1UEAwwQc2hvcC5leGFtcGxlLmNvbTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BMTzFlMJk8b6V66T3o7tNx2t3y3JmMV21i5UJct36k2NUnRUjALFDgKytQheoJNm
rGk7MH/2Xva845z4vx4NuQajPjA8MBsGA1UdEQQUMBKCEHNob3AuZXhhbXBsZS5j
b20wHQYDVR0OBBYEFOfWSfGhA++kE+Xao/8uuLhXK4cNMAoGCCqGSM49BAMCA0gA
MEUCIQCj0/H0WPZepFsc8i4lp9WFZDgkcGkSSn7qhNGz22B9FwIgEUVNtQYKb6aR
gw70dw0qi1rwZcpCWU3lXXWx8W9zcso=
-----END CERTIFICATE-----
`;

/** A certificate whose time is over. */
export const world: MakeFaultWorld = (ago) => {
  const data = { "tls.crt": btoa(EXPIRED), "tls.key": btoa("none") };
  const secret = { ...made(ago, ["v1", "Secret", "expired"]), type: "kubernetes.io/tls", data };
  return {
    fault: "A certificate whose time is over",
    embedded: "made",
    objects: [...shopBehind(ago, { name: "certificate-expired", port: { number: 80 }, secretName: "expired" }), secret],
    says: {
      of: "Ingress certificate-expired",
      place: "issue",
      cause: ["The certificate in Secret expired expired at 2025-12-01 00:00 UTC"],
      next: ["Renew the certificate"],
      since: "2025-12-01T00:00:00Z",
    },
  };
};
