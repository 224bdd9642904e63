/** Colours of lines, as custom properties. */
const count = 5

/** The colour of a line by its place; more lines than colours begin again. */
export const seriesColour = (index: number): string => `--series-${(index % count) + 1}`
