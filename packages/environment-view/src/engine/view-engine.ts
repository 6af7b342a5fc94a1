/**
 * Names what makes the messages of a view: the contract, the rules of health, the edges and their words. A view that another program has made
 * is only shown by one that names the same: it would have made it alike (docs/design/views.md "Engine").
 *
 * Written by scripts/engine/main.ts ("npm run reference") from all of that code: who changes it gets another name.
 */
export const VIEW_ENGINE = "dashboard.v1+e10918414a79";
