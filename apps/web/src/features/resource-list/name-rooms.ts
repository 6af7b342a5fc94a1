/** Pixels for the names in a row of the list. */
export interface NameRooms {
  readonly name: number;
  readonly namespace: number;
  readonly owner: number;
  readonly images: number;
}

/** What of a cell is no room for a text (list.module.css). */
const PADDING_PX = 12;
/** As narrow as the columns can become. */
const LEAST = { name: 220, namespace: 110, owner: 130, images: 150 } as const;

/** Room for names in columns so wide, in the order of the heads; while nobody knows how wide they are, as much as there is always. */
export function nameRooms(widths: readonly number[]): NameRooms {
  const [, name, namespace, , , , , owner, images] = widths;
  return {
    name: (name ?? LEAST.name) - PADDING_PX,
    namespace: (namespace ?? LEAST.namespace) - PADDING_PX,
    owner: (owner ?? LEAST.owner) - PADDING_PX,
    images: (images ?? LEAST.images) - PADDING_PX,
  };
}
