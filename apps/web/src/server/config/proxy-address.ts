import { OutgoingProxy, PROXY_SHAPE } from "@binnacle/rpc/outgoing-proxy";
import { z } from "zod";

/** Address of an HTTP proxy. Never printed as it was written: it may hold a password. */
export const proxyAddress = z.string().transform((text, context) => {
  const proxy = OutgoingProxy.parse(text);
  if (proxy === undefined) context.addIssue({ code: "custom", message: PROXY_SHAPE });
  return proxy ?? z.NEVER;
});
