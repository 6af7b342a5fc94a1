/* oxlint-disable jsx-a11y/prefer-tag-over-role -- initials are text that stands for a picture */
import Link from "next/link";
import type { ReactNode } from "react";
import { Mark } from "./icon.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

/** One step of the way to the page; the last has no address. */
export interface Crumb {
  readonly text: string;
  readonly href?: string;
}

/** The bar above every page: product, where one is, who one is. */
export function AppBar(props: { readonly crumbs: readonly Crumb[]; readonly person?: string; readonly children?: ReactNode }): ReactNode {
  const { crumbs, person, children } = props;
  return (
    <header className="appbar">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Link className="brand" href="/">
        <Mark />
        Binnacle
      </Link>
      {crumbs.length > 0 && (
        <nav className="crumbs" aria-label="Breadcrumb">
          <ol>
            {crumbs.map((crumb, index) => (
              <li key={`${index}-${crumb.text}`}>
                {crumb.href === undefined ? (
                  <span {...(index === crumbs.length - 1 ? { "aria-current": "page" as const } : {})}>{crumb.text}</span>
                ) : (
                  <Link href={crumb.href}>{crumb.text}</Link>
                )}
              </li>
            ))}
          </ol>
        </nav>
      )}
      <span className="grow" />
      {children}
      <ThemeToggle />
      {person !== undefined && person !== "" && (
        <span className="avatar" role="img" aria-label={`Signed in as ${person}`} title={person}>
          {initials(person)}
        </span>
      )}
    </header>
  );
}

function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => word !== "");
  return words
    .slice(0, 2)
    .map((word) => (word[0] ?? "").toUpperCase())
    .join("");
}
