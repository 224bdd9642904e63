/** The first letter of a name in a tile, where a thing has no picture of its own. */
export const LetterTile = ({ name }: { readonly name: string }) => (
  <span
    aria-hidden="true"
    className="grid size-9 shrink-0 place-items-center rounded-lg bg-accent/10 text-base font-semibold text-accent"
  >
    {[...name][0]?.toLocaleUpperCase()}
  </span>
)
