/** Header with which the agent listener passes the client's address to typed handlers. What a client sends under this name is removed. */
export const CLIENT_ADDRESS_HEADER = "kas-hop-client-address";
