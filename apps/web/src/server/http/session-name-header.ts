/** Header by which our server tells Next the name of a request's session; what a client sends under it is overwritten. */
export const SESSION_NAME_HEADER = "x-binnacle-session";

/** Header by which our server tells Next in how many seconds a page renews its session, empty where none does; overwritten in the same way. */
export const RENEW_HEADER = "x-binnacle-renew";
