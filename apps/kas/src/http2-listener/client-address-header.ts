/** Header under which the agent listener tells typed handlers the client's address. What a client sends under this name is removed. */
export const CLIENT_ADDRESS_HEADER = "kas-hop-client-address";
