/** Class names that several controls share. */

/** Joins class names; leaves out what is false. */
export const classes = (...names: ReadonlyArray<string | false | undefined>): string => names.filter(Boolean).join(" ")

export const inputClass =
  "w-full min-h-9 pointer-coarse:min-h-11 rounded-lg border border-faint/60 bg-surface px-3 py-1.5 text-base pointer-coarse:text-[1rem] text-ink aria-invalid:border-down disabled:opacity-60 hover:border-soft focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent"

export const popoverClass =
  "rounded-xl border border-line bg-surface p-1 text-ink shadow-[0_8px_30px_rgb(0_0_0/.16)] outline-none overflow-auto"

export const itemClass =
  "flex min-h-9 pointer-coarse:min-h-11 cursor-default flex-col justify-center rounded-lg px-3 py-1.5 text-sm outline-none focus:bg-accent/12 selected:font-medium data-disabled:opacity-50"

/** A part of a page, below a hairline. */
export const partClass = "flex flex-col gap-4 border-t border-line pt-5"

/** A list of rows: hairlines between them, and a row under the pointer reaches into the margin. */
export const listClass = "lines -mx-2"

/** The link of a row: the name of what it leads to. */
export const nameLinkClass =
  "inline-flex max-w-full min-w-0 no-underline hover:underline pointer-coarse:min-h-11 pointer-coarse:items-center"

/** A surface for actions or problems. */
export const surfaceClass = "rounded-xl border border-line bg-surface"

/** A surface in the colour of a state, which `is-…` beside it names. */
export const tonedClass =
  "rounded-xl border border-[color-mix(in_srgb,var(--tone)_24%,var(--line))] bg-[color-mix(in_srgb,var(--tone)_var(--tint),var(--surface))] p-4 sm:p-5"
