import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime.js";
import type { ReactNode } from "react";

/** Components as they are at an address. Through Next's own context: test files share modules, and a mock of one would be that of all. */
export function AtAddress({ query, children }: { readonly query: string; readonly children: ReactNode }): ReactNode {
  return <SearchParamsContext.Provider value={new URLSearchParams(query)}>{children}</SearchParamsContext.Provider>;
}
