/** Header by which our server tells Next the name of a request's session; what a client sends under it is overwritten. */
export const SESSION_NAME_HEADER = "x-binnacle-session";
