/**
 * The sentences of one language: id → template.
 *
 * - `{name}` is filled with the fact of that name, `{^name}` with a capital letter first.
 * - `{count:one=# pod|other=# pods}` takes the text of the plural category of the number (CLDR, as `Intl.PluralRules` names them); `#` is
 *   the number. The category "other" stands for those that are not named.
 * - `[a part]` is left out when one of its facts is empty.
 */
export type Catalogue = Readonly<Record<string, string>>;
