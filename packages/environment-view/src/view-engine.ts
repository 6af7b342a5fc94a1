/**
 * Names what makes the messages of a view: the contract, the rules of health, the edges and their words. A view that another program has made
 * is only shown by one that names the same: it would have made it alike (docs/design/views.md "Engine").
 */
export const VIEW_ENGINE = "dashboard.v1+1";
