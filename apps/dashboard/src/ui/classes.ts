/** Class names that several controls share. */

/** Joins class names; leaves out what is false. */
export const classes = (...names: ReadonlyArray<string | false | undefined>): string => names.filter(Boolean).join(" ")

export const inputClass =
  "w-full min-h-9 pointer-coarse:min-h-11 rounded-lg border border-faint/60 bg-surface px-3 py-1.5 text-[0.9375rem] pointer-coarse:text-base text-ink aria-invalid:border-down disabled:opacity-60 hover:border-soft focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent"

export const popoverClass =
  "rounded-xl border border-line bg-surface p-1 text-ink shadow-[0_8px_30px_rgb(0_0_0/.16)] outline-none overflow-auto"

export const itemClass =
  "flex min-h-9 pointer-coarse:min-h-11 cursor-default flex-col justify-center rounded-lg px-3 py-1.5 text-sm outline-none focus:bg-accent/12 selected:font-medium data-disabled:opacity-50"

/** A section of a page that stands apart from the others. */
export const cardClass = "flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4 shadow-(--shadow) sm:p-5"
