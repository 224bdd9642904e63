/** The look of a section of the settings. */
export const card = "flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4 shadow-(--shadow) sm:p-5"
